import { IgnoreRules, ignoresWithin } from '../../capture/index.ts';
import {
  type ByteString,
  basename,
  fromText,
  join,
  parent,
  type RelativePath,
  ROOT,
  type TreeId,
  type WorkspaceState,
} from '../../model/index.ts';
import {
  describeDirectory,
  filePermissions,
  type MetaTree,
  type ObjectBatch,
  type ObjectStore,
  POINTER_NAME,
  readMeta,
  type TreeEntry,
  writeMeta,
} from '../../store/index.ts';

const DIRECTORY = 0o40000;
const LINK = 0o120000;
const EXECUTABLE = 0o100755;

/** A directory without what was left out of it. */
interface Rest {
  readonly tree: TreeId;
  readonly meta: TreeId | null;
  readonly left: readonly RelativePath[];
}

/** Files that do not go into an export, by patterns as in `.gitignore`. Makes states without them. */
export class Exclusion {
  readonly #rules: IgnoreRules;
  readonly #objects: ObjectStore;
  readonly #batch: ObjectBatch;
  /** Directories are looked at once for each place that they are in: patterns may be about places. */
  readonly #known = new Map<string, Rest>();

  constructor(patterns: readonly string[], objects: ObjectStore, batch: ObjectBatch) {
    this.#rules = IgnoreRules.of([{ base: ROOT, text: fromText(patterns.join('\n')) }], { ignoreCase: false });
    this.#objects = objects;
    this.#batch = batch;
  }

  has(path: RelativePath, isDirectory = false): boolean {
    return ignoresWithin(() => this.#rules, path, isDirectory);
  }

  /** What of the state may go, and what was left out of it. */
  without({ files, meta }: WorkspaceState): { readonly state: WorkspaceState; readonly left: readonly RelativePath[] } {
    const rest = this.#visit(ROOT, files, meta);
    return { state: { files: rest.tree, meta: rest.meta }, left: rest.left };
  }

  #visit(path: RelativePath, tree: TreeId, meta: TreeId | null): Rest {
    const key = `${tree} ${meta ?? ''} ${path}`;
    const rest = this.#known.get(key) ?? this.#look(path, tree, meta);
    this.#known.set(key, rest);
    return rest;
  }

  #look(path: RelativePath, tree: TreeId, meta: TreeId | null): Rest {
    const about = readMeta(this.#objects, meta);
    const left: RelativePath[] = [];
    const kept: TreeEntry[] = [];
    const metas: [ByteString, TreeId][] = [];
    for (const entry of this.#objects.readTree(tree)) {
      const at = join(path, entry.name);
      const isDirectory = entry.mode === DIRECTORY;
      if (this.#rules.ignores(at, isDirectory)) left.push(at);
      else if (!isDirectory) kept.push(entry);
      else {
        const below = this.#visit(at, entry.id as TreeId, about.children.get(entry.name) ?? null);
        left.push(...below.left);
        kept.push({ ...entry, id: below.tree });
        if (below.meta !== null) metas.push([entry.name, below.meta]);
      }
    }
    const hasPointer = about.own.pointer !== null && !this.#rules.ignores(join(path, POINTER_NAME), false);
    if (about.own.pointer !== null && !hasPointer) left.push(join(path, POINTER_NAME));
    if (left.length === 0) return { tree, meta, left };
    return { tree: this.#batch.tree(kept), meta: this.#describe(about, kept, metas, hasPointer), left };
  }

  /** As a capture of the rest would. */
  #describe({ own }: MetaTree, kept: readonly TreeEntry[], metas: readonly [ByteString, TreeId][], hasPointer: boolean): TreeId | null {
    const files = kept
      .filter(({ mode }) => mode !== DIRECTORY && mode !== LINK)
      .map(({ name, mode }) => ({ name, permissions: filePermissions(own, name, mode === EXECUTABLE) }));
    return writeMeta(this.#batch, describeDirectory(own.permissions, files, hasPointer ? own.pointer : null), metas);
  }
}

/**
 * The paths about which a state says nothing once these are left out of it. Rules that are gone may have hidden something: then nothing in
 * their directory is known to have been absent.
 */
export const unknownWithout = (left: readonly RelativePath[]): RelativePath[] => [
  ...new Set(left.flatMap((path) => (basename(path) === '.gitignore' ? [parent(path)] : [path]))),
];
