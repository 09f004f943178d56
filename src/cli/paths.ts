import { realpathSync } from 'node:fs';
import type { Workspace } from '../engine/index.ts';
import { type ByteString, fromBytes, fromText, isWithin, type RelativePath, RetakeError, toFs } from '../model/index.ts';

/** Paths as the user writes them, from where the user stands, to paths of the workspace. */
export const workspacePaths = (workspace: Workspace, from: string, paths: readonly string[]): RelativePath[] => {
  const standing = real(fromText(from)) ?? fromText(from);
  return paths.map((path) => {
    const absolute = normalize(path.startsWith('/') ? fromText(path) : (`${standing}/${fromText(path)}` as ByteString));
    const inside = below(workspace.root, absolute) ?? below(workspace.root, withoutLinksAbove(absolute));
    if (inside !== undefined) return inside;
    throw new RetakeError('usage', `${path} is outside the workspace`, { hint: 'Give paths inside the workspace.' });
  });
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

/** The path with links resolved as far up as there is something: how somebody may have come into the workspace. */
const withoutLinksAbove = (path: ByteString): ByteString => {
  const names = path.slice(1).split('/');
  for (let depth = names.length - 1; depth > 0; depth--) {
    const found = real(`/${names.slice(0, depth).join('/')}` as ByteString);
    if (found !== undefined) return [found, ...names.slice(depth)].join('/') as ByteString;
  }
  return path;
};

const real = (path: ByteString): ByteString | undefined => {
  try {
    return fromBytes(realpathSync.native(toFs(path), { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
};
