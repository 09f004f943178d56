import type { Checkpoint, Recorded } from '../model/index.ts';
import { recordCheckpoint } from './checkpoint.ts';
import { OpenSteps } from './open-steps.ts';
import { isRecordedAs, type Present } from './present.ts';
import type { Workspace } from './workspace.ts';

/**
 * Records what steps that run have changed so far, before it is rolled back: so it stays known as theirs, whether or not they ever tell of their end.
 * Null where there is nothing of it. Needs the lock.
 */
export const recordRunningSteps = (workspace: Workspace, present: Present): Recorded<Checkpoint> | null => {
  const { index } = workspace;
  const running = new OpenSteps(workspace).running();
  const [first] = running;
  const newest = index.newestContent();
  if (first === undefined || newest === undefined || isRecordedAs(newest, present)) return null;
  const {
    session,
    toolUseId,
    began,
    agent = '',
    agentId,
    agentType,
    tool,
    description = 'A step',
    turn = index.countTurns(session),
  } = first;
  const key = `${toolUseId} up to ${newest.sequence}`;
  const touches = running.some((step) => step.touches === undefined)
    ? undefined
    : [...new Set(running.flatMap((step) => step.touches ?? []))];
  const common = { turn, ...(touches === undefined ? {} : { touches }) };
  if (running.length > 1) {
    // Which of them did it is not known.
    const event = { key: `turn-end ${key}`, place: { agent }, beside: true as const, ...common };
    return recordCheckpoint(workspace, present, {
      kind: 'turn-end',
      session,
      description: `${running.length} steps, still running`,
      event,
    });
  }
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
    event: { key: `after-step ${key}`, place, began, ...common },
  });
};
