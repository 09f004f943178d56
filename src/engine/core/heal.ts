import { isRollback, type Recorded, type Rollback } from '../../model/index.ts';
import {
  readJournal,
  removeJournal,
  removeOutsideTemporaries,
  removeTemporaries,
  setAsideJournal,
  WorkspaceFs,
} from '../../restore/index.ts';
import { conclude, resume } from '../rewind/apply.ts';
import type { Workspace } from './workspace.ts';

/** What became of a rollback whose process was killed. */
export type Healed =
  | { readonly rollback: Recorded<Rollback> }
  /** Its journal could not be read and was set aside: what it did is unknown. */
  | { readonly unreadableJournal: string }
  /** Commits were being made of a session's work; so many of them were, and stay. */
  | { readonly keptCommits: number };

/** Finishes or takes back the rollback that the journal tells of (RST-4). Needs the lock. */
export const healRollback = async (workspace: Workspace): Promise<Healed | undefined> => {
  const journal = readJournal(workspace.journalPath);
  if (journal === undefined) return undefined;
  if (journal === 'damaged') return { unreadableJournal: setAsideJournal(workspace.journalPath) };
  const { objects, log } = workspace.store;
  const newest = log.newest && log.readIfIntact(log.newest.id);
  if (newest !== undefined && isRollback(newest) && newest.journal === journal.id) {
    // Recorded already: only closing the journal was left.
    removeTemporaries({ fs: new WorkspaceFs(workspace.root), steps: journal.steps, journal: journal.id });
    removeOutsideTemporaries({ steps: journal.outside ?? [], journal: journal.id });
    removeJournal(workspace.journalPath);
    return { rollback: newest };
  }
  const outcome = await resume(workspace, journal, { read: (blob) => objects.readBlob(blob) });
  return { rollback: await conclude(workspace, journal, outcome) };
};
