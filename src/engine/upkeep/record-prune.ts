import { now } from '../../host/index.ts';
import type { Prune, Recorded, SessionId } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';

/** Records of no agent's session. */
const OWN = 'retake' as SessionId;

/** Writes down that operations are gone, or are to go. Needs the lock. */
export const recordPrune = (
  workspace: Workspace,
  { description, targets, toldOf }: Pick<Prune, 'description' | 'targets' | 'toldOf'>,
): Recorded<Prune> =>
  workspace.record(({ log, objects }) =>
    log.append<Prune>(objects.begin(), { kind: 'prune', session: OWN, createdAt: now().toISOString(), description, targets, toldOf }, null),
  );
