import { isRollback, type Recorded, type SessionId } from '../../model/index.ts';

/** The sessions in which the conversation of one goes on, or went on in another way: those that Retake made of it, and its forks. */
export const familyOf = (operations: readonly Recorded[], session: SessionId): ReadonlySet<SessionId> => {
  const family = new Set([session]);
  const ties = operations.flatMap((operation): SessionId[][] => {
    if (operation.kind === 'fork-point') return [[...operation.sessions]];
    const change = isRollback(operation) || operation.kind === 'fork' ? operation.conversation : undefined;
    return change?.from == null || change.to == null ? [] : [[change.from, change.to]];
  });
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const tied of ties) if (tied.some((one) => family.has(one))) for (const one of tied) family.add(one);
  }
  return family;
};
