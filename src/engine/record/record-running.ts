import { diffStates, leafChanges } from '../../diff/index.ts';
import { type Checkpoint, isWithin, type Recorded, type RelativePath } from '../../model/index.ts';
import { isRecordedAs, type Present } from '../core/present.ts';
import type { Workspace } from '../core/workspace.ts';
import { recordCheckpoint } from './checkpoint.ts';
import { type OpenStep, OpenSteps } from './open-steps.ts';

/**
 * Records what steps that run have changed so far, before it is rolled back: so it stays known as theirs, whether or not they ever tell of their end.
 * Each gets a record of its own that says when it began, also where others recorded its changes already. Those that go back come first: what was
 * not recorded yet is in the first record. Needs the lock.
 */
export const recordRunningSteps = (workspace: Workspace, present: Present, goesBack: (toolUseId: string) => boolean): RunningRecords => {
  const steps = new OpenSteps(workspace).running().filter((step) => mayHaveChanged(workspace, present, step));
  const [going, staying] = [true, false].map((wanted) =>
    steps.filter(({ toolUseId }) => goesBack(toolUseId) === wanted).map((step) => recordSoFar(workspace, present, step)),
  ) as [Recorded<Checkpoint>[], Recorded<Checkpoint>[]];
  return { going, staying };
};

export type RunningRecords = Readonly<Record<'going' | 'staying', readonly Recorded<Checkpoint>[]>>;

/** Whether something that it can touch is not as it was when it began. */
const mayHaveChanged = ({ index, store }: Workspace, present: Present, { began, touches }: OpenStep): boolean => {
  const before = index.newestContent({ upTo: began });
  if (before === undefined || isRecordedAs(before, present)) return false;
  if (touches === undefined) return true;
  const isIts = (path: RelativePath): boolean => touches.some((one) => isWithin(path, one));
  return leafChanges(diffStates(store.objects, before.state, present.state)).some(({ path }) => isIts(path));
};

const recordSoFar = (
  workspace: Workspace,
  present: Present,
  { session, toolUseId, began, agent = '', agentId, agentType, tool, description = 'A step', turn, touches }: OpenStep,
): Recorded<Checkpoint> => {
  const { index, store } = workspace;
  const place = {
    agent,
    toolUseId,
    ...(tool === undefined ? {} : { tool }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
  };
  return recordCheckpoint(workspace, present, {
    kind: 'after-step',
    session,
    description: `${description} (still running)`,
    event: {
      key: `after-step ${toolUseId} up to ${store.log.highest}`,
      place,
      began,
      turn: turn ?? index.countTurns(session),
      ...(touches === undefined ? {} : { touches }),
    },
  });
};
