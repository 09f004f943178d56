import type { Healed } from '../engine/index.ts';
import { shownId } from './ids.ts';
import { count, oneLine } from './output.ts';

/** What became of something that was cut short. */
export const healedLines = (healed: Healed): string[] => {
  if ('unreadableJournal' in healed)
    return [
      `A rollback was cut short and its journal can not be read; it is now ${healed.unreadableJournal}`,
      'Compare the workspace with the safety checkpoint made before it: retake log, retake diff ID',
    ];
  if ('keptCommits' in healed)
    return [`Keeping a session's work was cut short: ${count(healed.keptCommits, 'commit')} made, the rest is as it was`];
  const { rollback } = healed;
  const what = { complete: 'finished', 'taken-back': 'taken back', incomplete: 'finished in part' }[rollback.outcome];
  return [
    `A rollback that was cut short was ${what}: ${oneLine(rollback.description)} (${shownId(rollback.id)})`,
    ...rollback.leftAlone.map(({ path, reason }) => `  ${oneLine(path)}: ${oneLine(reason)}`),
  ];
};
