import type { MissingEntry, ReflogRestorePlan } from '../engine/index.ts';
import { toText } from '../model/index.ts';

/** What putting entries back comes to. */
export const reflogRestoreJson = ({ restored, gone, left, notBackedUp, expired, expected }: ReflogRestorePlan) => ({
  restored: restored.map(entryJson),
  gone: gone.map(entryJson),
  left: left.map(entryJson),
  notBackedUp: notBackedUp.map(toText),
  expired,
  expected,
});

const entryJson = ({ entry: { ref, to, from, action, message, who, at }, state }: MissingEntry) => ({
  ref: toText(ref),
  commit: to,
  from,
  action,
  message,
  who,
  at: new Date(at * 1000).toISOString(),
  state,
});
