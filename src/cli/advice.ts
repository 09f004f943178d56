import type { Command } from 'commander';
import type { ErrorCode } from '../model/index.ts';
import { howTo } from './misuse.ts';

/** Where there is nothing to show. */
export const NOTHING_YET = 'Nothing is recorded here yet: retake checkpoint, or retake setup claude-code to have it done at every step';

/** What to do about errors that can happen anywhere, where the one who raised it did not know better. */
const ADVICE: Partial<Readonly<Record<ErrorCode, string>>> = {
  'store-damaged': 'retake check tells what is affected; retake repair mends what can be mended.',
  'git-failed': 'git status tells how your repository is; then run it again.',
  'git-moved': 'git status tells how your repository is now; then run it again.',
  permission: 'See to the permissions, then run it again.',
  'unknown-id': 'retake log lists what is recorded.',
  'not-a-checkpoint': 'retake log lists the checkpoints.',
  'no-conversation': 'retake sessions lists the conversations.',
  'nothing-to-keep': 'retake sessions tells what became of each session.',
  'needs-confirmation': 'Look at it with --dry-run.',
};

const UNFORESEEN =
  'This was not foreseen. With RETAKE_DEBUG=1 it tells where it happened; retake check tells whether all that was recorded is sound.';

export const adviceFor = (code: string, command: Command): string | undefined => {
  if (code === 'usage') return howTo(command);
  return code === 'unexpected' ? UNFORESEEN : ADVICE[code as ErrorCode];
};
