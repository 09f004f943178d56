import { statSync } from 'node:fs';
import { join } from 'node:path';
import { findLost, type KnownElsewhere, LAST, refOf, surveyRefs } from '../../../store/index.ts';
import type { Workspace } from '../../core/workspace.ts';
import { recordPrune } from '../record-prune.ts';
import type { Aside } from './aside.ts';

/** Writes down how many operations are lost without a trace, so that they are not missed for ever. Needs the lock. */
export const acknowledgeLoss = (workspace: Workspace, known: KnownElsewhere): number => {
  const { gaps } = surveyRefs(workspace.store, known);
  if (gaps > 0) recordPrune(workspace, { description: `${gaps} lost`, targets: [], toldOf: gaps });
  return gaps;
};

/** Makes the refs what the operations in the store say that they are. Right ones are written before wrong ones go. Needs the lock. */
export const mendRefs = ({ store, storePath }: Workspace, known: KnownElsewhere, aside: Aside): void => {
  const { refs } = store;
  const survey = surveyRefs(store, known);
  const lost = [...survey.unfinished, ...findLost(store, survey, known)];
  const wrong = [...survey.torn, ...survey.misplaced.map(({ ref }) => ref)];
  const isPackedWrong = survey.garbage.length + survey.misplaced.length > 0;
  if (isPackedWrong) aside.copy(join(storePath, 'packed-refs'));
  // A name that was cut short may be that of a folder.
  for (const ref of wrong) if (statSync(join(storePath, ref), { throwIfNoEntry: false })?.isFile()) aside.copy(join(storePath, ref));
  const names = ['packed-refs', ...lost.map(refOf)];
  for (const name of names)
    if (statSync(join(storePath, name), { throwIfNoEntry: false })?.isFile() === false) aside.move(join(storePath, name));
  for (const operation of lost) refs.write(refOf(operation), operation.id);
  const right = new Set([...survey.operations, ...lost].map(refOf));
  refs.remove(wrong.filter((ref) => !right.has(ref)));
  if (survey.garbage.length > 0) refs.repack();
  const newest = [...survey.operations, ...lost].sort((a, b) => a.sequence - b.sequence).at(-1);
  if (newest === undefined || newest.id === store.log.lastId) return;
  aside.copy(join(storePath, LAST));
  refs.write(LAST, newest.id);
};
