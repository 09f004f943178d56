import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { put, type Scene } from '../support/scene.ts';

const CART = `export interface Item {
  name: string;
  price: number;
}

export const total = (items: Item[]): number => items.reduce((sum, { price }) => sum + price, 0);
`;

const TAXED = CART.replace('export const total', 'const RATE = 0.19;\n\nexport const total').replace(
  'sum + price, 0);',
  'sum + price * (1 + RATE), 0);',
);

/** A small shop, and an agent's session in it: an edit, work in the shell by a subagent, an edit of the person's in between, and a turn that goes wrong. */
export const playShop = async (at: Scene): Promise<PlayedSession> => {
  const file = (path: string): string => join(at.workspace, path);
  put(at.workspace, 'src/cart.ts', CART);
  put(at.workspace, 'README.md', '# Shop\n\nA small shop.\n');
  put(at.workspace, '.env', 'KEY=secret\n', 0o600);
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Add the tax to the total of the cart');
  await session.step('Edit', { file_path: file('src/cart.ts'), old_string: '…', new_string: '…' }, () =>
    put(at.workspace, 'src/cart.ts', TAXED),
  );
  await session.answer('The total includes 19 % tax now.');
  put(at.workspace, 'README.md', '# Shop\n\nA small shop, with tax.\n');
  await session.prompt('Write tests for it,\nand run them');
  await session.step(
    'Bash',
    { command: 'mkdir -p test && echo … > test/cart.test.ts', description: 'Write a test' },
    () => put(at.workspace, 'test/cart.test.ts', "import { total } from '../src/cart.ts';\n\ntotal([]);\n"),
    { agent_id: 'tester', agent_type: 'general-purpose' },
  );
  await session.step('Write', { file_path: file('notes.txt') }, () => put(at.workspace, 'notes.txt', 'one\ntwo\n'));
  await session.answer('There is a test now. It passes.');
  await session.prompt('Clean up');
  await session.step('Bash', { command: 'rm -rf src notes.txt', description: 'Remove what is not needed' }, () => {
    rmSync(file('src'), { recursive: true });
    rmSync(file('notes.txt'));
  });
  await session.answer('All clean.');
  return session;
};
