import { realpathSync } from 'node:fs';
import { type ByteString, fromBytes, fromText, isWithin, type RelativePath, toFs } from '../../model/index.ts';
import type { Workspace } from './workspace.ts';

/** A path as somebody writes it who stands in `from`, also one that comes in through a link; undefined outside the workspace. */
export const pathInWorkspace = ({ root }: Workspace, path: string, from: string): RelativePath | undefined => {
  const reachability = path.startsWith('/') ? '' : (realPath(fromText(from)) ?? fromText(from));
  const absolute = normalize(`${reachability}/${fromText(path)}` as ByteString);
  return below(root, absolute) ?? below(root, withoutLinksAbove(absolute));
};

/** The same, and where it leads if it is a link: what is written to it is written there. */
export const pathsThroughLinks = (workspace: Workspace, path: string, from: string): RelativePath[] => {
  const named = pathInWorkspace(workspace, path, from);
  const real = realPath(fromText(path));
  return [named, real && below(workspace.root, real)].flatMap((one) => one ?? []);
};

/** The path without links; undefined when there is nothing. */
const realPath = (path: ByteString): ByteString | undefined => {
  try {
    return fromBytes(realpathSync.native(toFs(path), { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
};

const below = (root: ByteString, path: ByteString): RelativePath | undefined =>
  isWithin(path as unknown as RelativePath, (root === '/' ? '' : root) as RelativePath)
    ? (path.slice(root === '/' ? 1 : root.length + 1) as RelativePath)
    : undefined;

const normalize = (path: ByteString): ByteString => {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return `/${names.join('/')}` as ByteString;
};

/** The path with links resolved as far up as there is something: how somebody may have come in. */
const withoutLinksAbove = (path: ByteString): ByteString => {
  const names = path.slice(1).split('/');
  for (let depth = names.length - 1; depth > 0; depth--) {
    const found = realPath(`/${names.slice(0, depth).join('/')}` as ByteString);
    if (found !== undefined) return [found, ...names.slice(depth)].join('/') as ByteString;
  }
  return path;
};
