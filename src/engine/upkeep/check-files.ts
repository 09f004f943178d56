import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { exists, isAbandoned, isTemporary, now, readIfExists } from '../../host/index.ts';
import { isConfigurationWhole, isHeadWhole, missingFolders, namesIn } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import type { Finding, Remark } from './findings.ts';

/** git's own work takes seconds; a lock that is older than this has nobody to release it. */
const STALE = 10 * 60_000;

/** Lists beside the store that are written whole: one that can't be parsed was damaged since. */
const LISTS = [
  'workspace.json',
  'to-hold.json',
  'named-files.json',
  'outside-files.json',
  'recoveries-closed.json',
  'git-health.json',
  'git-config.json',
];

/** What of the data directory is not objects, refs or the index. */
export const checkFiles = ({ data, storePath, lockPath, canLock }: Workspace): { findings: Finding[]; remarks: Remark[] } => {
  const findings: Finding[] = [];
  const remarks: Remark[] = [];
  const find = (kind: Finding['kind'], path: string, problem: string): void =>
    void findings.push({ kind, file: relative(data, path), problem, operations: [] });
  if (!isConfigurationWhole(storePath)) find('config', join(storePath, 'config'), 'it is not as Retake writes it');
  if (!isHeadWhole(storePath)) find('config', join(storePath, 'HEAD'), 'it is not as Retake writes it');
  for (const folder of missingFolders(storePath)) find('config', join(storePath, folder), 'the folder is missing');
  for (const name of LISTS) if (!isJson(join(data, name))) find('beside', join(data, name), 'it can not be read');
  if (exists(lockPath) && !canLock) find('lock', lockPath, 'it is not empty');
  for (const path of staleLocks(data)) find('lock', path, 'whoever made it is gone');
  for (const path of strays(data)) remarks.push({ file: relative(data, path), remark: 'left by a process that was killed; gc removes it' });
  return { findings, remarks };
};

const isJson = (path: string): boolean => {
  try {
    if (exists(path)) JSON.parse(readIfExists(path)?.toString() ?? '');
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
};

/** Locks of git's that nobody will release. */
const staleLocks = (data: string): string[] =>
  ['store.git', 'held.git']
    .flatMap((name) => filesBelow(join(data, name), (folder) => folder !== 'objects'))
    .filter((path) => path.endsWith('.lock') && isOld(path));

/** Temporary files of ours and of git's. */
export const strays = (data: string): string[] => {
  const places = ['', 'store.git', 'store.git/objects', 'store.git/objects/pack', 'held.git/objects', 'held.git/objects/pack'];
  return places
    .flatMap((place) => namesIn(join(data, place)).map((name) => join(data, place, name)))
    .filter((path) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return isAbandoned(name) || (!isTemporary(name) && /^tmp_(obj|pack|idx|rev|bitmap)_/.test(name) && isOld(path));
    });
};

const isOld = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now().getTime() - stat.mtimeMs > STALE;
};

const filesBelow = (directory: string, enters: (folder: string) => boolean): string[] => {
  if (!exists(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) return [path];
    return enters(entry.name) ? filesBelow(path, enters) : [];
  });
};
