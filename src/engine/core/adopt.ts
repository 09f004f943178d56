import { basename } from 'node:path';
import { effects, exists, Lock } from '../../host/index.ts';
import { type ByteString, RetakeError, toText } from '../../model/index.ts';
import { belongTo, type DirectoryIdentity, firstCommitOf, identityOf, isCertainly, readIdentity } from './directory-identity.ts';
import { type Place, placeOf, realPath } from './locate.ts';
import { storedPlaces } from './stored-places.ts';
import { Workspace } from './workspace.ts';

/** Records that this directory may go on from. */
export interface Adoptable {
  /** Where they are. */
  readonly data: string;
  /** The directory of which they were made, as it was called then. */
  readonly root: string;
  readonly because: Reason;
  readonly checkpoints: number;
  readonly newest: string | null;
}

/** They are of this very directory, of one with the same first commit, of another one at its place, or they gave way to others here. */
type Reason = 'moved' | 'same-repository' | 'replaced' | 'set-aside';

export interface Adopted extends Adoptable {
  /** Where what was recorded here before is now; null where there was nothing. It can be adopted again. */
  readonly setAside: string | null;
}

/** The surest comes first. */
const ORDER: readonly Reason[] = ['moved', 'same-repository', 'replaced', 'set-aside'];

/** What a workspace could go on from: nothing that a directory elsewhere still goes on with. */
export const listAdoptable = async ({ root, data }: Place): Promise<Adoptable[]> => {
  const directory = identityOf(root);
  const firstCommit = firstCommitOf(root);
  const found: Adoptable[] = [];
  for (const place of storedPlaces()) {
    const because = place.data === data ? undefined : reasonFor(place, { root, directory, firstCommit });
    if (because !== undefined) found.push({ data: place.data, root: toText(place.root), because, ...(await extentOf(place)) });
  }
  const rank = ({ because }: Adoptable): number => ORDER.indexOf(because);
  return found.sort((a, b) => rank(a) - rank(b) || ((a.newest ?? '') < (b.newest ?? '') ? 1 : -1));
};

/** Those that nobody has to ask for: what was there before another directory came is not offered once that has records of its own. */
export const listOffered = async (workspace: Workspace): Promise<Adoptable[]> =>
  (await listAdoptable(workspace)).filter(
    ({ because }) => because === 'moved' || because === 'same-repository' || (because === 'replaced' && !workspace.isProtected),
  );

interface Here {
  readonly root: ByteString;
  readonly directory: DirectoryIdentity | undefined;
  readonly firstCommit: string | null | undefined;
}

const reasonFor = (place: Place, here: Here): Reason | undefined => {
  const name = readIdentity(place.data);
  const isHere = place.root === here.root;
  if (!isHere && identityOf(place.root) !== undefined && belongTo(name, place.data, place.root)) return undefined;
  const isSame = name?.directory !== undefined && here.directory !== undefined && isCertainly(name.directory, here.directory);
  if (isHere && (isSame || /\.aside-\d+$/.test(place.data))) return 'set-aside';
  if (isSame) return 'moved';
  if (typeof name?.firstCommit === 'string' && name.firstCommit === here.firstCommit) return 'same-repository';
  return isHere ? 'replaced' : undefined;
};

const extentOf = async (place: Place): Promise<Pick<Adoptable, 'checkpoints' | 'newest'>> => {
  try {
    const workspace = await Workspace.openAt(place, { isLookingOnly: true });
    try {
      return { checkpoints: workspace.index.countAfter(0).checkpoints, newest: workspace.index.newestContent()?.createdAt ?? null };
    } finally {
      workspace.close();
    }
  } catch {
    // They can be adopted all the same, and repaired then.
    return { checkpoints: 0, newest: null };
  }
};

/** Those that are meant: by the path of their directory or the name of their folder, or where there is but one, by nothing. */
export const chooseAdoptable = (all: readonly Adoptable[], named: string | undefined): Adoptable => {
  const path = named === undefined ? undefined : toText(realPath(named));
  const meant =
    named === undefined
      ? all.filter(({ because }) => because !== 'set-aside' && because === all[0]?.because)
      : all.filter(({ root, data }) => root === named || root === path || basename(data) === named);
  const [one, ...others] = meant;
  if (one !== undefined && others.length === 0) return one;
  const details = { adoptable: all };
  if (one !== undefined) {
    const hint = `Name one: ${meant.map(({ data }) => `retake adopt ${basename(data)}`).join(' · ')}`;
    throw new RetakeError('ambiguous-id', 'There are several records that this directory could go on from', { hint, details });
  }
  const message =
    named === undefined
      ? 'Nothing is recorded that this directory could go on from'
      : `Nothing is recorded of ${named} that this directory could go on from`;
  throw new RetakeError('unknown-id', message, { hint: LOOKS_FOR, details });
};

const LOOKS_FOR =
  'retake adopt looks for records of this directory from before it was moved, of a repository with the same first commit whose directory is gone, and of another directory that was here.';

/** Has the workspace go on from records of a directory elsewhere, or of another one here. What it had itself is set aside. */
export const adopt = async (workspace: Workspace, chosen: Adoptable): Promise<Adopted> => {
  const { root, data, isProtected } = workspace;
  const target = placeOf(root).data;
  const moved = await together([...new Set(isProtected ? [chosen.data, data] : [chosen.data])].sort(), async () => {
    const isStill = (await listAdoptable(workspace)).some((one) => one.data === chosen.data);
    if (!isStill) throw new RetakeError('workspace-moved', 'What was to be adopted is gone, or in use elsewhere by now');
    // Whoever keeps workspaces open sees by a folder that comes or goes that they are to be looked for anew, also where the place stays.
    const chosenAt = target === chosen.data ? renamedAside(chosen.data, target) : chosen.data;
    const before = exists(target) ? renamedAside(target, target) : undefined;
    const own = data !== target && exists(data) ? renamedAside(data, target) : undefined;
    effects.rename(chosenAt, target);
    return own ?? before;
  });
  const adopted = await Workspace.openAt({ root, data: target }, { asIs: true });
  try {
    adopted.nameRoot({ anew: true });
  } finally {
    adopted.close();
  }
  return { ...chosen, data: target, setAside: isProtected ? (moved ?? null) : null };
};

/** Gives a folder of data a name of the same workspace that nothing has. */
const renamedAside = (folder: string, data: string): string => {
  let number = 1;
  while (exists(`${data}.aside-${number}`)) number++;
  effects.rename(folder, `${data}.aside-${number}`);
  return `${data}.aside-${number}`;
};

/** As the only one who works with any of these data. */
const together = async <T>([first, ...rest]: readonly string[], work: () => Promise<T>): Promise<T> => {
  if (first === undefined) return work();
  const lock = new Lock(`${first}/lock`);
  try {
    return await lock.hold(() => together(rest, work));
  } finally {
    lock.close();
  }
};
