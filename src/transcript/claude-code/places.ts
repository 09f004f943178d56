import { closeSync, type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { homeDirectory, namedDirectory, readIfExists } from '../../host/index.ts';
import { type SessionId, systemCode } from '../../model/index.ts';
import type { Companion, Subagent, TranscriptFile } from '../format.ts';
import { headOf } from '../head.ts';
import { openForReading } from '../line-reader.ts';

/** The client cuts longer folder names and appends a hash. */
const LONGEST_NAME = 200;
/** The first lines, in which the directory of a session is told. */
const HEAD_BYTES = 256 << 10;

const projectsDirectory = (): string => join(namedDirectory('CLAUDE_CONFIG_DIR') ?? join(homeDirectory(), '.claude'), 'projects');

const folderName = (directory: string): string => directory.replaceAll(/[^a-zA-Z0-9]/g, '-');

/** Newest first. Those that are known to belong to the directory are not asked again. */
export const transcriptsOf = (directory: string, isKnown: (file: TranscriptFile) => boolean): TranscriptFile[] => {
  const spellings = [...new Set([directory, realPath(directory)])];
  const names = spellings.map(folderName);
  return list(projectsDirectory())
    .filter((entry) => entry.isDirectory() && names.some((name) => isFolderFor(entry.name, name)))
    .flatMap((entry) => sessionsIn(join(projectsDirectory(), entry.name)))
    .filter((file) => isKnown(file) || belongsTo(file.path, spellings))
    .sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : a.session < b.session ? -1 : 1));
};

const isFolderFor = (folder: string, name: string): boolean =>
  name.length <= LONGEST_NAME ? folder === name : folder.startsWith(`${name.slice(0, LONGEST_NAME)}-`);

const sessionsIn = (folder: string): TranscriptFile[] =>
  list(folder).flatMap((entry) => {
    // Older clients keep subagents' files beside the sessions.
    if (!/^[\w-]+\.jsonl$/.test(entry.name) || entry.name.startsWith('agent-')) return [];
    const path = join(folder, entry.name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return [];
    const session = basename(entry.name, '.jsonl') as SessionId;
    const link = entry.isSymbolicLink() ? { isLink: true as const } : {};
    return [{ agent: 'claude-code', session, path, bytes: stats.size, modifiedAt: stats.mtime.toISOString(), ...link }];
  });

/**
 * Several directories may share a folder: `/a/b` and `/a-b` always, long names when they begin alike. The session's own word
 * decides; one that began in a directory of another folder was moved here, and is the client's to resume from here.
 */
const belongsTo = (path: string, spellings: readonly string[]): boolean => {
  const told = directoryToldIn(path);
  if (told === undefined || spellings.includes(told)) return true;
  return folderName(told).slice(0, LONGEST_NAME) !== basename(dirname(path)).slice(0, LONGEST_NAME);
};

const directoryToldIn = (path: string): string | undefined => {
  for (const line of beginningOf(path).split('\n')) {
    try {
      const { cwd } = JSON.parse(line) as { cwd?: unknown };
      if (typeof cwd === 'string') return cwd;
    } catch {
      // Garbage, or cut off by the end of the head: another line may tell.
    }
  }
  return undefined;
};

const beginningOf = (path: string): string => {
  try {
    const fd = openForReading(path);
    try {
      return headOf(fd, HEAD_BYTES);
    } finally {
      closeSync(fd);
    }
  } catch {
    // It may have been removed since it was listed, or be another user's: whoever opens it is told.
    return '';
  }
};

/** Whatever folder it is in: sessions are moved between them. */
export const isPlaceOf = (session: SessionId, path: string): boolean =>
  basename(path) === `${session}.jsonl` && dirname(dirname(path)) === realPath(projectsDirectory());

/** Where the client keeps what belongs to a session and is not in its file. */
export const companionsOf = (path: string): string => path.replace(/\.jsonl$/, '');

/** Where the client keeps its copies of the files that a session changed. */
export const backupsOf = (path: string): string => join(dirname(path), '..', '..', 'file-history', basename(path, '.jsonl'));

export const subagentsOf = (path: string): Subagent[] => {
  const folder = join(companionsOf(path), 'subagents');
  return list(folder).flatMap((entry) => {
    const agentId = /^agent-([\w-]+)\.jsonl$/.exec(entry.name)?.[1];
    if (agentId === undefined || !entry.isFile()) return [];
    const about = describedIn(join(folder, `agent-${agentId}.meta.json`));
    return [{ agentId, agentType: text(about.agentType), toolUseId: text(about.toolUseId), path: join(folder, entry.name) }];
  });
};

/** What the client has written of a session's subagents. */
export const companionFiles = (path: string): Companion[] => {
  const folder = join(companionsOf(path), 'subagents');
  return list(folder).flatMap((entry) =>
    entry.isFile() && /^agent-[\w-]+\.(?:jsonl|meta\.json)$/.test(entry.name)
      ? [{ name: `subagents/${entry.name}`, path: join(folder, entry.name) }]
      : [],
  );
};

/** The folder that the client keeps the sessions of a directory in. */
export const projectOf = (directory: string): string => {
  const name = folderName(realPath(directory));
  const known = list(projectsDirectory()).find((entry) => entry.isDirectory() && isFolderFor(entry.name, name));
  return join(projectsDirectory(), known?.name ?? name.slice(0, LONGEST_NAME));
};

const describedIn = (path: string): Record<string, unknown> => {
  try {
    const about: unknown = JSON.parse(readIfExists(path)?.toString('utf8') ?? '{}');
    return typeof about === 'object' && about !== null ? (about as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The entries of a directory by name; none where there is no such directory. */
const list = (path: string): Dirent[] => {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
};

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};
