import { basename, join, resolve } from 'node:path';
import { exists, now, refuseIfAborted, temporaryName } from '../../host/index.ts';
import {
  isCheckpoint,
  LOCAL_SESSION,
  pathFields,
  type Recorded,
  type RelativePath,
  RetakeError,
  type SessionId,
} from '../../model/index.ts';
import type { Store } from '../../store/index.ts';
import { sessionContent } from '../../timeline/index.ts';
import type { ConversationSource } from '../conversation/conversation.ts';
import { sessionNamed } from '../conversation/session-named.ts';
import { currentSession } from '../conversation/turns.ts';
import type { Workspace } from '../core/workspace.ts';
import { assertFolderOf } from '../read/output-folder.ts';
import { conversationToExport, exportConversation } from './export-conversation.ts';
import { type ExportManifest, FORMAT, WHAT } from './export-manifest.ts';
import { MEMBER } from './member-names.ts';
import { readme } from './readme.ts';
import { TarWriter } from './tar-writer.ts';
import { withTemporaryStore } from './temporary-store.ts';
import { writeBundle } from './write-bundle.ts';
import { writeAnew } from './written-anew.ts';

export const EXPORT_ENDING = '.retake.tar';

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
  /** Aborted when nobody wants it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExportResult extends Pick<ExportManifest, 'session' | 'operations' | 'checkpoints' | 'conversation'> {
  readonly file: string;
  readonly bytes: number;
  /** Why there is no conversation in it although it was asked for; null otherwise. */
  readonly noConversation: string | null;
  /** In the workspace, and outside by absolute path. */
  readonly excluded: readonly RelativePath[];
  readonly excludedOutside: readonly string[];
}

/** Writes all that is recorded of a session into one file, with what was said in it (STO-4). */
export const exportSession = async (workspace: Workspace, request: ExportRequest): Promise<ExportResult> => {
  const found = contentToExport(workspace, request);
  const file = resolve(request.directory, request.output ?? `${nameForFile(found.session)}${EXPORT_ENDING}`);
  if (exists(file) && !request.force)
    throw new RetakeError('file-exists', `There is a file ${file} already`, { hint: 'Give another name by --output, or add --force.' });
  assertFolderOf(file);
  return withTemporaryStore(workspace, join(workspace.data, temporaryName()), (store) =>
    writeExport(workspace, store, { ...request, ...found, file }),
  );
};

export interface ContentToExport {
  readonly session: SessionId;
  readonly source: ConversationSource | undefined;
  readonly noConversation: string | null;
  readonly content: readonly Recorded[];
}

export const contentToExport = (workspace: Workspace, request: Pick<ExportRequest, 'session' | 'withoutConversation'>): ContentToExport => {
  const operations = workspace.isProtected
    ? workspace.index
        .list()
        .map(({ operation }) => operation)
        .reverse()
    : [];
  const session = sessionToExport(workspace, operations, request.session);
  const found = request.withoutConversation ? undefined : conversationToExport(workspace, session);
  const noConversation = found !== undefined && 'reason' in found ? found.reason : null;
  return { session, source: found?.source, noConversation, content: sessionContent(operations, session) };
};

interface Task extends ContentToExport, Pick<ExportRequest, 'madeBy' | 'onProgress' | 'onBytes' | 'signal'> {
  readonly file: string;
}

/** The store is for what the file has that the workspace's own has not. */
export const writeExport = async (
  workspace: Workspace,
  store: Store,
  { session, file, source, noConversation, content, ...request }: Task,
): Promise<ExportResult> => {
  const { onProgress, onBytes, signal } = request;
  const written = await writeAnew(workspace, store, content, { session, source, onProgress, signal });
  const tar = new TarWriter(file);
  try {
    await tar.add(MEMBER.readme, (write) => write(Buffer.from(readme(session))));
    const sources = { store, beside: workspace.store };
    const onWritten = (): void => {
      refuseIfAborted(signal);
      onBytes?.(tar.bytes);
    };
    await tar.add(MEMBER.operations, (write) => writeBundle(sources, written.operations, write, onWritten));
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
    return { session, file, bytes: tar.bytes, operations: count, checkpoints, conversation, noConversation, excluded, excludedOutside };
  } catch (error) {
    tar.abandon();
    throw error;
  }
};

/** Also one of which no agent told: manual checkpoints have a session too. */
const sessionToExport = (workspace: Workspace, operations: readonly Recorded[], address?: string): SessionId => {
  if (address !== undefined) return sessionNamed([...new Set(operations.map(({ session }) => session))], address);
  const current = workspace.isProtected ? currentSession(workspace) : undefined;
  if (current !== undefined) return current;
  throw new RetakeError('unknown-id', "No agent's session is recorded here", {
    hint: `Name one: retake export ${LOCAL_SESSION} takes the checkpoints that belong to none.`,
  });
};

/** What a file about a session is called, whatever the session is: one plain name. */
export const nameForFile = (session: SessionId): string =>
  basename(session)
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 60) || 'session';
