import { basename, relative, resolve } from 'node:path';
import { exists, git, now } from '../../host/index.ts';
import {
  isCheckpoint,
  LOCAL_SESSION,
  type Operation,
  type OperationId,
  pathFields,
  type Recorded,
  type RelativePath,
  RetakeError,
  type SessionId,
  toText,
} from '../../model/index.ts';
import { refOf } from '../../store/index.ts';
import { sessionContent } from '../../timeline/index.ts';
import type { ConversationSource } from '../conversation/conversation.ts';
import { currentSession } from '../conversation/turns.ts';
import type { Workspace } from '../workspace.ts';
import { encodeBundleHeader } from './bundle-header.ts';
import { Exclusion } from './exclusion.ts';
import { conversationToExport, exportConversation } from './export-conversation.ts';
import { type ExportManifest, FORMAT, WHAT } from './export-manifest.ts';
import { exportOperation } from './exported-operation.ts';
import { MEMBER } from './member-names.ts';
import { NewIds } from './new-ids.ts';
import { withPlaces } from './places.ts';
import { readme } from './readme.ts';
import { TarWriter } from './tar-writer.ts';

export interface ExportRequest {
  /** The session's id or the first characters of it; without it, the one that is gone on with. */
  readonly session?: string | undefined;
  /** The file to be made; without it, one in this directory that is named after the session. */
  readonly output?: string | undefined;
  readonly directory: string;
  /** Whether a file that is there may be replaced. */
  readonly force?: boolean | undefined;
  readonly withoutConversation?: boolean | undefined;
  /** The version of the program. */
  readonly madeBy: string;
  readonly onProgress?: ((operations: number, total: number) => void) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export interface ExportResult extends Pick<ExportManifest, 'session' | 'operations' | 'checkpoints' | 'conversation'> {
  readonly file: string;
  readonly bytes: number;
  /** In the workspace, and outside by absolute path. */
  readonly excluded: readonly RelativePath[];
  readonly excludedOutside: readonly string[];
}

/** Writes all that is recorded of a session into one file, with what was said in it (STO-4). */
export const exportSession = async (workspace: Workspace, request: ExportRequest): Promise<ExportResult> => {
  const operations = workspace.isProtected
    ? workspace.index
        .list()
        .map(({ operation }) => operation)
        .reverse()
    : [];
  const session = sessionNamed(workspace, operations, request.session);
  const file = resolve(request.directory, request.output ?? `${nameFor(session)}.retake.tar`);
  if (exists(file) && !request.force)
    throw new RetakeError('file-exists', `There is a file ${file} already`, { hint: 'Give another name by --output, or add --force.' });
  const source = request.withoutConversation ? undefined : conversationToExport(workspace, session);
  const content = sessionContent(operations, session);
  const written = await writeAnew(workspace, content, { session, source, onProgress: request.onProgress });
  const tar = new TarWriter(file);
  try {
    await tar.add(MEMBER.readme, (write) => write(Buffer.from(readme(session))));
    await tar.add(MEMBER.operations, (write) => writeBundle(workspace, written.operations, write, () => request.onBytes?.(tar.bytes)));
    const messages = source === undefined ? 0 : await exportConversation(tar, source);
    const manifest: ExportManifest = {
      format: FORMAT,
      what: WHAT,
      madeBy: request.madeBy,
      exportedAt: now().toISOString(),
      session,
      operations: content.length,
      checkpoints: content.filter(isCheckpoint).length,
      conversation: source === undefined ? null : { agent: source.agent, messages },
      excluded: {
        patterns: workspace.settings['export.exclude'],
        paths: [...written.left.map(pathFields), ...written.leftOutside.map((path) => ({ path }))],
      },
      files: tar.members,
    };
    await tar.add(MEMBER.manifest, (write) => write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)));
    tar.finish(workspace.settings.durability);
    const { operations: count, checkpoints, conversation } = manifest;
    const { left: excluded, leftOutside: excludedOutside } = written;
    return { session, file, bytes: tar.bytes, operations: count, checkpoints, conversation, excluded, excludedOutside };
  } catch (error) {
    tar.abandon();
    throw error;
  }
};

/** Also what no agent made: manual checkpoints have a session too. */
const sessionNamed = (workspace: Workspace, operations: readonly Recorded[], address?: string): SessionId => {
  const current = address === undefined && workspace.isProtected ? currentSession(workspace) : undefined;
  if (current !== undefined) return current;
  const known = [...new Set(operations.map(({ session }) => session))];
  const found = address === undefined ? [] : known.filter((id) => id.startsWith(address));
  const [first] = found.includes(address as SessionId) ? [address as SessionId] : found;
  if (first === undefined)
    throw new RetakeError(
      'unknown-id',
      address === undefined ? "No agent's session is recorded here" : `There is no session ${JSON.stringify(address)} here`,
      {
        hint: `retake sessions lists them; ${LOCAL_SESSION} stands for checkpoints that belong to none.`,
      },
    );
  if (first !== address && found.length > 1)
    throw new RetakeError('ambiguous-id', `${JSON.stringify(address)} fits several sessions: ${found.join(', ')}`, {
      hint: 'Give more of the id.',
    });
  return first;
};

const nameFor = (session: SessionId): string =>
  basename(session)
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 60) || 'session';

interface WrittenAnew {
  readonly operations: readonly { readonly id: OperationId; readonly operation: Operation }[];
  readonly left: readonly RelativePath[];
  readonly leftOutside: readonly string[];
}

/** Puts operations into the store as they go into the file. Nothing holds them there: the next gc clears them away. */
const writeAnew = (
  workspace: Workspace,
  content: readonly Recorded[],
  { session, source, onProgress }: { session: SessionId; source: ConversationSource | undefined } & Pick<ExportRequest, 'onProgress'>,
): Promise<WrittenAnew> =>
  workspace.write(() => {
    const { objects, log } = workspace.store;
    const batch = objects.begin();
    const exclusion = new Exclusion(workspace.settings['export.exclude'], objects, batch);
    const ids = new NewIds();
    const left = new Set<RelativePath>();
    const leftOutside = new Set<string>();
    const places = {
      directory: (directory: string): string => insideOf(toText(workspace.root), directory),
      transcript: (operation: Operation) => (source !== undefined && operation.session === session ? MEMBER.session : undefined),
    };
    const operations = content.map((recorded, at) => {
      const exported = exportOperation(recorded, log.treeOf(recorded.id), { objects, batch, exclusion });
      for (const path of exported.left) left.add(path);
      for (const path of exported.leftOutside) leftOutside.add(path);
      const operation = withPlaces(
        ids.in(exported.operation, (id) => id),
        places,
      );
      const id = log.write(batch, operation, exported.tree);
      ids.add(recorded.id, id);
      onProgress?.(at + 1, content.length);
      return { id, operation };
    });
    batch.flush();
    return { operations, left: [...left].sort(), leftOutside: [...leftOutside].sort() };
  });

/** A directory as it is named below the workspace; the workspace itself for one that is elsewhere. */
const insideOf = (root: string, directory: string): string => {
  const path = relative(root, directory);
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? '' : path;
};

const writeBundle = async (
  { store }: Workspace,
  operations: WrittenAnew['operations'],
  write: (bytes: Uint8Array) => void,
  onChunk: () => void,
): Promise<void> => {
  write(encodeBundleHeader(operations.map(({ id, operation }) => [refOf(operation), id] as const)));
  // One thread makes the same pack of the same objects each time.
  const args = ['pack-objects', '--revs', '--stdout', '-q', '--threads=1', '--delta-base-offset'];
  const input = Buffer.from(operations.map(({ id }) => `${id}\n`).join(''));
  const into = (chunk: Buffer): void => {
    write(chunk);
    onChunk();
  };
  try {
    await git(['--git-dir', store.directory, ...args], { manners: 'neutral', input, into });
  } catch (error) {
    if (!(error instanceof RetakeError && error.code === 'git-failed')) throw error;
    // The lock is not held for so long: somebody may have cleared away what nothing refers to.
    throw new RetakeError('git-failed', error.message, {
      hint: 'Try it again; if it fails again, retake check tells what is damaged.',
      cause: error,
    });
  }
};
