import { diffStates, leafChanges } from '../../diff/index.ts';
import type { RelativePath, SessionId } from '../../model/index.ts';
import { type AttributedChange, ownersAt } from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { unlessDamaged } from '../read/record-changes.ts';
import type { SharedWith } from './report.ts';

const NOBODY: SharedWith = { sessions: [], others: false };

/** Tells of each path who else changed it while a session lasted, or may have. */
export const sharesIn = (
  { store: { objects } }: Workspace,
  attributedChanges: readonly AttributedChange[],
  session: SessionId,
  from: number,
): ((path: RelativePath) => SharedWith) => {
  const shares = new Map<RelativePath, { sessions: Set<SessionId>; others: boolean }>();
  const shareOf = (path: RelativePath) => {
    const share = shares.get(path) ?? { sessions: new Set<SessionId>(), others: false };
    shares.set(path, share);
    return share;
  };
  for (const attributed of attributedChanges) {
    const isAlone = attributed.actors.length > 0 && attributed.actors.every((actor) => actor.session === session && actor.touches === null);
    if (attributed.at.sequence <= from || attributed.isPlanned || isAlone) continue;
    const changes = unlessDamaged(() => leafChanges(diffStates(objects, attributed.before.state, attributed.at.state)), []);
    for (const { path } of changes) {
      const owners = ownersAt(attributed, path);
      const isOwn = owners.some((actor) => actor.session === session);
      for (const actor of owners) if (isOwn && actor.session !== session) shareOf(path).sessions.add(actor.session);
      if (!isOwn) shareOf(path).others = true;
    }
  }
  return (path) => {
    const share = shares.get(path);
    return share === undefined ? NOBODY : { sessions: [...share.sessions], others: share.others };
  };
};
