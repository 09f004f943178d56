import { demonstrate, endDemonstration } from './demonstrate.ts';
import { Refusal } from './program.ts';
import { protect } from './protect.ts';

const USAGE = `npm start              a demo: an agent's session in a small shop, recorded and served
npm start -- DIR       records your project DIR and serves it
npm start -- --stop    ends the demo and removes it`;

/** `npm start`: the first five minutes. */
const run = async (args: readonly string[]): Promise<number> => {
  const [first, ...more] = args;
  if (first === undefined) await demonstrate();
  else if (first === '--stop' && more.length === 0) endDemonstration();
  else if (first.startsWith('-') || more.length > 0) {
    if (first !== '--help') console.error(`npm start does not understand ${args.join(' ')}`);
    console.log(USAGE);
    return first === '--help' ? 0 : 2;
  } else protect(first);
  return 0;
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
