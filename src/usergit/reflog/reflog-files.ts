import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { type ByteString, toFs } from '../../model/index.ts';
import { isPerWorktree } from '../commits/ref-names.ts';
import { below } from '../paths.ts';
import { readPlainText } from '../plain-file.ts';
import type { UserRepository } from '../repository.ts';
import { parseConfig } from '../settings/config-file.ts';

/** The file in which git notes how a ref moved. */
export interface ReflogFile {
  readonly ref: ByteString;
  readonly path: ByteString;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Whether refs and their logs are kept in tables, which only git reads. */
export const hasReftables = ({ commonDirectory }: UserRepository): boolean => {
  const config = readPlainText(below(commonDirectory, 'config'), { follow: true });
  return config !== null && parseConfig(config).get('extensions.refstorage') === 'reftable';
};

/** The logs that this worktree sees: its own HEAD, and the refs. */
export const reflogFiles = (repository: UserRepository): ReflogFile[] => {
  const { gitDirectory, commonDirectory } = repository;
  const found: ReflogFile[] = [];
  const take = (ref: ByteString, path: ByteString, stat: Stats | undefined): void => {
    if (stat?.isFile()) found.push({ ref, path, bytes: stat.size, mtimeMs: stat.mtimeMs });
  };
  const walk = (home: ByteString, ref: ByteString, isOurs: (ref: ByteString) => boolean): void => {
    for (const name of namesIn(below(home, `logs/${ref}`))) {
      const inner = `${ref}/${name}` as ByteString;
      const path = below(home, `logs/${inner}`);
      const stat = look(path);
      if (stat?.isDirectory()) walk(home, inner, isOurs);
      else if (!name.endsWith('.lock') && isOurs(inner)) take(inner, path, stat);
    }
  };
  const head = reflogPath(repository, 'HEAD' as ByteString);
  take('HEAD' as ByteString, head, look(head));
  walk(commonDirectory, 'refs' as ByteString, (ref) => gitDirectory === commonDirectory || !isPerWorktree(ref));
  if (gitDirectory !== commonDirectory) walk(gitDirectory, 'refs' as ByteString, isPerWorktree);
  return found;
};

export const reflogPath = (repository: UserRepository, ref: ByteString): ByteString => below(refHome(repository, ref), `logs/${ref}`);

/** Where a ref and its log are kept. */
export const refHome = ({ gitDirectory, commonDirectory }: UserRepository, ref: ByteString): ByteString =>
  ref === 'HEAD' || isPerWorktree(ref) ? gitDirectory : commonDirectory;

const namesIn = (directory: ByteString): string[] => {
  try {
    return readdirSync(toFs(directory), { encoding: 'latin1' });
  } catch {
    return [];
  }
};

const look = (path: ByteString): Stats | undefined => {
  try {
    return lstatSync(toFs(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};
