import { changesIn, diffFiles, joinSteps, type Passage } from '../../diff/index.ts';
import { isWhole, type RelativePath, type SessionId, stateName } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { yieldEvery } from '../core/yield-every.ts';
import { stepsOf, workOf } from '../recover/session-work.ts';

/** How much of a session's work is in the present, edit by edit: a line that one edit adds and another takes out counts for both. */
export interface SessionExtent {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

interface PassageExtent {
  readonly paths: readonly RelativePath[];
  readonly insertions: number;
  readonly deletions: number;
}

/** More paths than that are not worth remembering. */
const MOST_PATHS = 200;

/** Counts it, piece by piece: a long session has many, and of all but the last it is remembered what they come to. */
export const countWork = async (workspace: Workspace, session: SessionId): Promise<SessionExtent> => {
  const passages = joinSteps(stepsOf(workOf(workspace, session, { isBrief: true })));
  const breathe = yieldEvery();
  const memory = new Memory(workspace);
  const paths = new Set<RelativePath>();
  const extent = { insertions: 0, deletions: 0 };
  for (const passage of passages) {
    const one = memory.recall(passage) ?? memory.remember(passage, measure(workspace, passage));
    for (const path of one.paths) paths.add(path);
    extent.insertions += one.insertions;
    extent.deletions += one.deletions;
    await breathe();
  }
  memory.write();
  return { files: paths.size, ...extent };
};

const measure = ({ store: { objects } }: Workspace, passage: Passage): PassageExtent => {
  const files = diffFiles(objects, changesIn(objects, passage));
  return {
    paths: files.map(({ path }) => path),
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
};

/** What is known of changes of the whole workspace: what lies between two states never changes. */
class Memory {
  readonly #index: Workspace['index'];
  readonly #known: ReadonlyMap<string, { readonly memo: string }>;
  readonly #fresh: { subject: string; stamp: string; memo: PassageExtent }[] = [];

  constructor({ index }: Workspace) {
    this.#index = index;
    this.#known = index.recallAll(BEGINNING);
  }

  recall(passage: Passage): PassageExtent | undefined {
    const known = isWhole(passage) ? this.#known.get(nameOf(passage)) : undefined;
    return known === undefined ? undefined : (JSON.parse(known.memo) as PassageExtent);
  }

  remember(passage: Passage, memo: PassageExtent): PassageExtent {
    if (isWhole(passage) && memo.paths.length <= MOST_PATHS) this.#fresh.push({ subject: BEGINNING + nameOf(passage), stamp: '', memo });
    return memo;
  }

  write(): void {
    this.#index.rememberAll(this.#fresh);
  }
}

const BEGINNING = 'extent ';

const nameOf = ({ before, after }: Passage): string => `${stateName(before)} ${stateName(after)}`;
