import { diffStates, leafChanges } from '../../diff/index.ts';
import type { RelativePath, SessionId } from '../../model/index.ts';
import { type Deed, ownersAt } from '../../timeline/index.ts';
import { unlessDamaged } from '../record-changes.ts';
import type { Workspace } from '../workspace.ts';
import type { SharedWith } from './report.ts';

const NOBODY: SharedWith = { sessions: [], others: false };

/** Tells of each path who else changed it while a session lasted, or may have. */
export const sharesIn = (
  { store: { objects } }: Workspace,
  deeds: readonly Deed[],
  session: SessionId,
  from: number,
): ((path: RelativePath) => SharedWith) => {
  const shares = new Map<RelativePath, { sessions: Set<SessionId>; others: boolean }>();
  const shareOf = (path: RelativePath) => {
    const share = shares.get(path) ?? { sessions: new Set<SessionId>(), others: false };
    shares.set(path, share);
    return share;
  };
  for (const deed of deeds) {
    const isAlone = deed.doers.length > 0 && deed.doers.every((doer) => doer.session === session && doer.touches === null);
    if (deed.at.sequence <= from || deed.isPlanned || isAlone) continue;
    const changes = unlessDamaged(() => leafChanges(diffStates(objects, deed.before.state, deed.at.state)), []);
    for (const { path } of changes) {
      const owners = ownersAt(deed, path);
      const isOwn = owners.some((doer) => doer.session === session);
      for (const doer of owners) if (isOwn && doer.session !== session) shareOf(path).sessions.add(doer.session);
      if (!isOwn) shareOf(path).others = true;
    }
  }
  return (path) => {
    const share = shares.get(path);
    return share === undefined ? NOBODY : { sessions: [...share.sessions], others: share.others };
  };
};
