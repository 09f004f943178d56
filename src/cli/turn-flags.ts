import type { Command } from 'commander';
import type { SessionId } from '../model/index.ts';

/** Which turns an address such as `t3` means (CKP-6). */
export interface TurnFlags {
  readonly session?: SessionId;
  readonly branch?: string;
}

export const turnFlags = (command: Command): Command =>
  command
    .option('--session <id>', 'whose turns are meant')
    .option('--branch <branch>', 'turns of another branch of that conversation, as retake forks lists them');

/** What they stand for, for shells. */
export const TURN_WORDS = { session: 'session', branch: 'branch' } as const;
