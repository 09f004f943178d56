import { createInterface } from 'node:readline';
import { RetakeError } from '../model/index.ts';

/** Asks on the terminal whether what was just printed is to be done; anything but yes is no, and nothing is done. */
export const assertConfirmed = async (question: string): Promise<void> => {
  if (await confirm(question)) return;
  throw new RetakeError('needs-confirmation', 'Not confirmed; nothing was changed', { hint: 'To look at it again: --dry-run.' });
};

/** For programs, which nobody can ask. */
export const needsYes = (what: string): RetakeError =>
  new RetakeError('needs-confirmation', what, { hint: 'Look at it with --dry-run, then add --yes.' });

/** Whether somebody on the terminal says yes; no where there is none. */
export const isWanted = async (question: string): Promise<boolean> => isSeen() && confirm(question);

const confirm = async (question: string): Promise<boolean> => {
  if (!isSeen()) {
    throw new RetakeError('needs-confirmation', 'This needs to be confirmed, and there is no terminal to ask on', {
      hint: 'Look at it with --dry-run, then run it with --yes.',
    });
  }
  const answer = await ask(question);
  // Nobody sent the line that the question stands on.
  if (answer === null) process.stderr.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
};

/** Whoever answers has to see the plan, which is on stdout, and the question, which is on stderr. */
const isSeen = (): boolean => [process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY === true);

/** Null where there is no answer, but Ctrl-C, Ctrl-D or the end of the terminal. */
const ask = async (question: string): Promise<string | null> => {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((resolve) => {
      reader.once('close', () => resolve(null));
      reader.question(`${question} [y/N] `, resolve);
    });
  } finally {
    reader.close();
  }
};
