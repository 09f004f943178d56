import { readBodies } from '../../index/index.ts';
import type { Recorded } from '../../model/index.ts';
import { type KnownElsewhere, type RefSurvey, removedBy, surveyRefs } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** What the index knows of the log. It is looked at as a copy. */
export const knownByIndex = ({ indexPath }: Workspace): KnownElsewhere => {
  const operations = readBodies(indexPath);
  return { operations, highest: operations.reduce((highest, { sequence }) => Math.max(highest, sequence), 0) };
};

export interface LogLook {
  readonly survey: RefSurvey;
  readonly known: KnownElsewhere;
  /** Operations that the index knows and no ref holds, although nothing removed them. */
  readonly unheld: readonly Recorded[];
}

/** Compares the refs with the operations and with what the index knows of them. */
export const lookAtLog = (workspace: Workspace): LogLook => {
  const look = lookOnce(workspace);
  // What somebody removes at this moment is no loss: who asks again does not find it.
  return look.unheld.length === 0 ? look : lookOnce(workspace);
};

const lookOnce = (workspace: Workspace): LogLook => {
  const { store } = workspace;
  // Before the refs: an operation has its own by the time that the index knows it.
  const known = knownByIndex(workspace);
  const waiting = new Set(store.log.waiting.values());
  const survey = surveyRefs(store, known);
  const removed = removedBy([...known.operations, ...survey.operations]);
  const held = new Set(
    [...survey.operations, ...survey.unreadable, ...survey.misplaced.map(({ operation }) => operation)].map(({ id }) => id),
  );
  const unheld = known.operations.filter(({ id }) => !held.has(id) && !removed.has(id) && !waiting.has(id));
  return { survey, known, unheld };
};
