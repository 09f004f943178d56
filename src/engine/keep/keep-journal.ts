import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { effects, now, readIfExists, replaceFile } from '../../host/index.ts';
import type { GitHead, Keep, OperationId, Recorded, SessionId } from '../../model/index.ts';
import type { Content, ObjectBatch } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { IndexMove } from './keep-index.ts';

/** What is to be known of commits while they are made, should we not live to see them. */
export interface KeepJournal {
  readonly session: SessionId;
  readonly head: GitHead;
  readonly commits: readonly PlannedKeep[];
  /** Steps whose changes were committed before, by the agent or the person. */
  readonly settled: readonly OperationId[];
  readonly moves: readonly IndexMove[];
  readonly through: number;
  readonly all: boolean;
  /** Of commits that take the place of others: where the branch was with those, and their keeps. All of them are made or none. */
  readonly folds?: { readonly tip: string; readonly keeps: readonly OperationId[] };
  /** Nobody asked for it. */
  readonly mode?: 'step';
  /** The process of git that makes a commit now: it may live longer than we do. */
  readonly git?: number;
}

/** What a keep has beside its commits. */
interface KeepContent extends Pick<Keep, 'mode' | 'head' | 'git'> {
  readonly content: Content | null;
  readonly batch?: ObjectBatch;
}

interface PlannedKeep {
  readonly message: string;
  readonly steps: readonly OperationId[];
  /** By its trailer a commit is known again. */
  readonly checkpoint: OperationId;
}

export const writeKeepJournal = ({ keepJournalPath, settings }: Workspace, journal: KeepJournal): void =>
  replaceFile(keepJournalPath, Buffer.from(JSON.stringify(journal)), { durability: settings.durability });

/** Undefined when there is none, or it is torn: then nothing was begun. */
export const readKeepJournal = ({ keepJournalPath }: Workspace): KeepJournal | undefined => {
  try {
    return JSON.parse(readIfExists(keepJournalPath)?.toString() ?? '') as KeepJournal;
  } catch {
    return undefined;
  }
};

export const removeKeepJournal = ({ keepJournalPath }: Workspace): void => effects.removeTree(keepJournalPath);

const COMMIT_INDEX = 'commit-index-';

export const newCommitIndex = ({ data }: Workspace): string => join(data, `${COMMIT_INDEX}${randomBytes(6).toString('hex')}`);

/** Those that a killed process left, once no git uses them any more. */
export const removeCommitIndexes = ({ data }: Workspace): void => {
  for (const name of readdirSync(data)) if (name.startsWith(COMMIT_INDEX)) effects.removeTree(join(data, name));
};

/** Says in the log which commits were made: as many of those planned as there are. */
export const recordKeep = (
  workspace: Workspace,
  journal: KeepJournal,
  commits: readonly string[],
  { content, batch, ...more }: KeepContent = { content: null },
): Recorded<Keep> => {
  const { session, head, through, all, folds } = journal;
  const made = journal.commits.slice(0, commits.length);
  return workspace.record((store) =>
    store.log.append<Keep>(
      batch ?? store.objects.begin(),
      {
        kind: 'keep',
        session,
        createdAt: now().toISOString(),
        description: `Keep ${made.map(({ message }) => message.split('\n', 1)[0]).join('; ')}`.slice(0, 500),
        commits,
        branch: head.branch,
        steps: [...made.flatMap(({ steps }) => steps), ...journal.settled],
        through,
        all,
        ...(folds === undefined ? {} : { folds: folds.keeps }),
        ...more,
      },
      content,
    ),
  );
};
