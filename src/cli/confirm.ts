import { createInterface } from 'node:readline/promises';
import { RetakeError } from '../model/index.ts';

/** Asks on the terminal; anything but yes is no. */
export const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY) {
    throw new RetakeError('needs-confirmation', 'This needs to be confirmed, and there is no terminal to ask on', {
      hint: 'Look at it with --dry-run, then run it with --yes.',
    });
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
};
