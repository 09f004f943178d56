import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentSession } from './agent-session.ts';
import * as code from './code.ts';
import { type DemoPlace, demoEnvironment, makePlace } from './place.ts';
import { askRetake } from './program.ts';
import { makeShop } from './shop.ts';
import { type ToolCall, toolsAt } from './tools.ts';

/** Hears what happens while the story is played, a line at a time. */
export type Listener = (line: string) => void;

const RUN_TESTS = ['node --test', 'Run the tests'] as const;

/**
 * Makes a small shop in a place where nothing is yet, and plays an agent's session in it through the real hooks: five turns, a subagent, an
 * edit of the person's in between, a rewind of code and conversation that makes a fork, and a last turn that goes wrong. Returns the session's id.
 */
export const playStory = async (place: DemoPlace, listen: Listener = () => {}): Promise<string> => {
  makePlace(place);
  makeShop(place);
  listen('A shop in git, with a commit, a secret .env and an ignored dist/');
  const session = new AgentSession(place);
  const { read, write, edit, bash } = toolsAt(place);
  let turn = 0;
  const prompt = (text: string) => {
    listen(`Turn ${++turn}  “${text}”`);
    return session.prompt(text);
  };
  const use = async (...calls: ToolCall[]): Promise<void> => {
    for (const call of calls) {
      listen(`        ${call.title}`);
      await session.use(call);
    }
  };

  await session.start();
  await prompt('Add VAT to the cart: 19 %, but 7 % for books.');
  await use(
    read('src/cart.ts'),
    write('src/tax.ts', code.TAX),
    edit('src/cart.ts', code.CART_TOTAL, code.CART_TAXED),
    edit('src/cart.ts', "from './catalogue.ts';\n", "from './catalogue.ts';\nimport { vat } from './tax.ts';\n"),
  );
  await session.answer('The cart now has `net()`, `tax()` and `total()`. Rates are in `src/tax.ts`: 19 %, and 7 % for books.');

  listen('        (you edit README.md yourself)');
  appendFileSync(join(place.shop, 'README.md'), '\nPrices in the catalogue are net, in cents. Customers see them with VAT.\n');

  await prompt('Have a subagent write tests, then run them.');
  const tests = [
    write('test/tax.test.ts', code.TAX_TEST),
    write('test/cart.test.ts', code.CART_TEST),
    bash(code.ORDERS, 'Make example orders'),
  ];
  listen(`        Agent “Write the tests”: ${tests.length} steps`);
  await session.delegate(
    'Write the tests',
    'Write tests for src/cart.ts and src/tax.ts with node:test. Take example orders from test/orders.csv.',
    tests,
    'There are tests for the tax and for the cart, with example orders in test/orders.csv.',
  );
  await use(bash(...RUN_TESTS));
  await session.answer('Both are tested now, and all tests pass.');

  await prompt('Now the checkout: print a receipt.');
  await use(
    write('src/receipt.ts', code.RECEIPT),
    edit('src/main.ts', code.MAIN_PRINT, code.MAIN_RECEIPT),
    edit('src/main.ts', code.MAIN_TOTAL, 'console.log(receipt(cart));'),
    bash('rm src/print.ts', 'Remove what nothing uses any more'),
    bash('mkdir -p examples && node src/main.ts > examples/receipt.txt', 'Keep a receipt as an example'),
  );
  await session.answer('`npm start` prints a receipt. `src/print.ts` was not used any more, so I removed it.');

  const beforeRounding = session.last;
  await prompt('Round every line to whole cents.');
  await use(
    edit('src/receipt.ts', code.ANY_LINE, code.EACH_LINE),
    write('test/receipt.test.ts', code.receiptTest('every line is rounded', '63.24')),
    bash(...RUN_TESTS),
  );
  await session.answer('Every line is rounded now. The total is the sum of rounded lines.');

  listen(
    '        (you take the code back by retake rewind t4 --scope code, rewind in the conversation, and ask for something else: a fork)',
  );
  askRetake({ cwd: place.shop, env: demoEnvironment(place) }, 'rewind', 't4', '--scope', 'code', '--yes');
  session.rewindTo(beforeRounding);
  turn--;
  await prompt('Round only the total, once.');
  await use(
    edit('src/receipt.ts', code.RETURN_ROWS, code.RETURN_ROUNDED),
    write('test/receipt.test.ts', code.receiptTest('only the total is rounded', '63.25')),
    bash(...RUN_TESTS),
  );
  await session.answer('The total is rounded once, at the end. Lines keep their fractions of a cent.');

  await prompt('Clean up before the release.');
  await use(bash('git clean -fd', 'Remove untracked files'), bash('cp .env.example .env', 'Set up the environment'));
  await session.answer('The working tree is clean, and `.env` is set up from the example. Ready for the release!');
  return session.id;
};
