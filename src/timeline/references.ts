import { isCheckpoint, isRollback, type Operation, type OperationId, type Rollback } from '../model/index.ts';

type MapId = (id: OperationId) => OperationId;

/** The operation with each id of another operation in it replaced. */
export const withReferences = <O extends Operation>(operation: O, map: MapId): O => ({ ...operation, ...mapped(operation, map) });

/** The operations that one names, `previous` told apart: what came before it is not what it is about. */
export const referencesOf = (operation: Operation): { readonly named: readonly OperationId[]; readonly previous: OperationId | null } => {
  const named: OperationId[] = [];
  mapped(operation, (id) => {
    named.push(id);
    return id;
  });
  const previous = isCheckpoint(operation) ? operation.previous : null;
  return { named: named.filter((id) => id !== previous), previous };
};

/** What a rollback undoes, takes out or brings back. */
export const movedBy = ({ undoes, takesBack = [], steps = [], partly = [] }: Rollback): OperationId[] => [
  ...(undoes === undefined ? [] : [undoes]),
  ...takesBack,
  ...steps,
  ...partly.map(({ step }) => step),
];

const mapped = (operation: Operation, map: MapId): Partial<Operation> => {
  if (isCheckpoint(operation)) return { previous: operation.previous && map(operation.previous) };
  if (isRollback(operation)) {
    const { target, safety, undoes, unkept, steps, partly, takesBack, left, commits, continues } = operation;
    return {
      target: map(target),
      safety: map(safety),
      ...(undoes && { undoes: map(undoes) }),
      ...(unkept && { unkept: unkept.map(map) }),
      ...(steps && { steps: steps.map(map) }),
      ...(partly && { partly: partly.map(({ step, paths }) => ({ step: map(step), paths })) }),
      ...(takesBack && { takesBack: takesBack.map(map) }),
      ...(left && { left: { ...left, steps: left.steps.map(map) } }),
      ...(commits && { commits: { ...commits, asked: commits.asked.map(({ step, unit }) => ({ step: map(step), unit: map(unit) })) } }),
      ...(continues && { continues: map(continues) }),
    };
  }
  switch (operation.kind) {
    case 'fork-point':
      return { checkpoint: operation.checkpoint && map(operation.checkpoint) };
    case 'keep':
      return { steps: operation.steps.map(map), ...(operation.folds && { folds: operation.folds.map(map) }) };
    case 'prune':
      return { targets: operation.targets.map(map) };
    default:
      return { target: map(operation.target) };
  }
};
