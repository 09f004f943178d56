import type { DiffFile } from '../client/types.ts';

/** A file by its bytes: two that are not UTF-8 may read alike. */
export const keyOfFile = ({ path, pathBase64 }: Pick<DiffFile, 'path' | 'pathBase64'>): string =>
  pathBase64 === undefined ? `text:${path}` : `bytes:${pathBase64}`;

interface Folder {
  /** From the root; the key by which it is folded. */
  readonly path: string;
  /** Several names where there is nothing else in between: `src/web/diff`. */
  readonly name: string;
  readonly inside: readonly (Folder | DiffFile)[];
  readonly files: number;
}

/** A line of the tree. */
export type TreeRow =
  | {
      readonly type: 'folder';
      readonly key: string;
      readonly name: string;
      readonly level: number;
      readonly files: number;
      readonly isFolded: boolean;
    }
  | { readonly type: 'file'; readonly key: string; readonly name: string; readonly level: number; readonly file: DiffFile };

interface Node {
  readonly name: string;
  readonly children: Map<string, Node>;
  readonly inside: (Node | DiffFile)[];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The files as a tree, in their own order: folders that hold a single folder are one line with it. */
export const treeOf = (files: readonly DiffFile[]): readonly (Folder | DiffFile)[] => {
  const root: Node = { name: '', children: new Map(), inside: [] };
  for (const file of files) {
    let at = root;
    for (const name of file.path.split('/').slice(0, -1)) {
      let next = at.children.get(name);
      if (next === undefined) {
        next = { name, children: new Map(), inside: [] };
        at.children.set(name, next);
        at.inside.push(next);
      }
      at = next;
    }
    at.inside.push(file);
  }
  return root.inside.map((one) => ('children' in one ? folderOf(one, '') : one));
};

const folderOf = (node: Node, above: string): Folder => {
  let [last, name] = [node, node.name];
  for (let [only] = last.inside; last.inside.length === 1 && only !== undefined && 'children' in only; [only] = last.inside) {
    last = only;
    name = `${name}/${only.name}`;
  }
  const path = `${above}${name}/`;
  const inside = last.inside.map((one) => ('children' in one ? folderOf(one, path) : one));
  return { path, name, inside, files: inside.reduce((sum, one) => sum + ('inside' in one ? one.files : 1), 0) };
};

/** What of the tree is to be seen. */
export const treeRows = (tree: readonly (Folder | DiffFile)[], folded: ReadonlySet<string>): TreeRow[] => {
  const rows: TreeRow[] = [];
  const add = (all: readonly (Folder | DiffFile)[], level: number): void => {
    for (const one of all) {
      if (!('inside' in one)) {
        rows.push({ type: 'file', key: keyOfFile(one), name: nameOf(one.path), level, file: one });
        continue;
      }
      const isFolded = folded.has(one.path);
      rows.push({ type: 'folder', key: `folder:${one.path}`, name: one.name, level, files: one.files, isFolded });
      if (!isFolded) add(one.inside, level + 1);
    }
  };
  add(tree, 1);
  return rows;
};

/** Files in whose path all words occur, in whatever order and case. */
export const filterFiles = (files: readonly DiffFile[], words: string): readonly DiffFile[] => {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return wanted.length === 0
    ? files
    : files.filter(({ path }) => {
        const lower = path.toLowerCase();
        return wanted.every((word) => lower.includes(word));
      });
};

/** The folders above a file, by the keys that they are folded by. */
export const foldersAbove = (rows: readonly (Folder | DiffFile)[], path: string): string[] => {
  const above = rows.find((one) => 'inside' in one && path.startsWith(one.path));
  return above !== undefined && 'inside' in above ? [above.path, ...foldersAbove(above.inside, path)] : [];
};
