import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { now } from '../../host/index.ts';
import { isCheckpoint, LOCAL_SESSION, type OperationId, type Recorded, RetakeError, type SessionId, toText } from '../../model/index.ts';
import { refOf } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { Adoption } from './adoption.ts';
import { badExport } from './bad-export.ts';
import { type BundleHeader, readBundleHeader } from './bundle-header.ts';
import { readExportManifest } from './checked-manifest.ts';
import { type CheckedOperation, checkOperation } from './checked-operation.ts';
import { CheckedTrees } from './checked-tree.ts';
import type { ExportManifest } from './export-manifest.ts';
import { unpackConversation } from './import-conversation.ts';
import { MEMBER } from './member-names.ts';
import { clearQuarantine, Quarantine } from './quarantine.ts';
import { TarReader } from './tar-reader.ts';

export interface ImportRequest {
  readonly file: string;
  readonly directory: string;
  /** What the session is called here, if not as it was there. */
  readonly as?: string | undefined;
  readonly onProgress?: ((operations: number, total: number) => void) | undefined;
}

export interface ImportResult extends Pick<ExportManifest, 'conversation' | 'excluded'> {
  readonly session: SessionId;
  readonly operations: number;
  readonly checkpoints: number;
  /** It was imported before, and nothing was done. */
  readonly isKnown: boolean;
  /** The newest checkpoint of the session. */
  readonly newest: OperationId | null;
}

/** Takes a session that was recorded elsewhere into this workspace: all of it, at one instant, or nothing (STO-4). */
export const importSession = async (workspace: Workspace, request: ImportRequest): Promise<ImportResult> => {
  const tar = TarReader.open(resolve(request.directory, request.file));
  try {
    const manifest = readExportManifest(tar);
    const header = readBundleHeader(tar.chunks(MEMBER.operations));
    const source = sourceOf(header, manifest);
    return await workspace.write(() => importOnce(workspace, { ...request, tar, manifest, header, source }));
  } finally {
    tar.close();
  }
};

interface Given extends ImportRequest {
  readonly tar: TarReader;
  readonly manifest: ExportManifest;
  readonly header: BundleHeader;
  readonly source: string;
}

/** The same for the same content, whenever and wherever it was exported. */
const sourceOf = ({ refs }: BundleHeader, { files }: ExportManifest): string => {
  const hash = createHash('sha1');
  for (const [name, id] of refs) hash.update(`${id} ${name}\n`);
  for (const { name, sha256 } of files) if (name.startsWith('conversation/')) hash.update(`${sha256} ${name}\n`);
  return hash.digest('hex');
};

const importOnce = async (workspace: Workspace, given: Given): Promise<ImportResult> => {
  const { source, manifest } = given;
  clearQuarantine(workspace);
  const known = workspace.index
    .list({ line: source })
    .map(({ operation }) => operation)
    .reverse();
  if (known.length > 0) return resultOf(given, known, nameOf(known, given), true);
  const name = (given.as ?? manifest.session) as SessionId;
  if (isTaken(workspace, name)) throw taken(name);
  return Quarantine.during(workspace, async (quarantine) => {
    await quarantine.take(given.tar, given.header);
    const operations = checkAll(quarantine, given);
    const transcript = unpackConversation(workspace, quarantine, given.tar, source);
    quarantine.release(workspace);
    return resultOf(given, record(workspace, operations, given, name, transcript), name, false);
  });
};

/** Checkpoints that belong to no session are those of this workspace. */
const isTaken = ({ index }: Workspace, session: SessionId): boolean =>
  session === LOCAL_SESSION || index.list({ session, limit: 1 }).length > 0;

const taken = (session: SessionId): RetakeError =>
  new RetakeError('session-exists', `There is a session ${session} in this workspace already`, {
    hint: 'To have both, import it under another name: --as ID. Nothing was changed.',
  });

const checkAll = ({ store }: Quarantine, { header, manifest, onProgress }: Given): CheckedOperation[] => {
  const trees = new CheckedTrees(store.objects);
  const operations = [...header.refs].map(([ref, id], at) => {
    const checked = checkOperation(store.objects, trees, ref, id);
    onProgress?.(at + 1, header.refs.size);
    return checked;
  });
  operations.sort((a, b) => a.operation.sequence - b.operation.sequence);
  const isTwice = operations.some(({ operation }, at) => operation.sequence === operations[at - 1]?.operation.sequence);
  if (isTwice) throw badExport('two of its operations have the same number');
  if (!operations.some(({ operation }) => operation.session === manifest.session))
    throw badExport('it holds nothing of the session that it is about');
  return operations;
};

const record = (
  workspace: Workspace,
  operations: readonly CheckedOperation[],
  { source, manifest }: Given,
  name: SessionId,
  transcript: string | undefined,
): readonly Recorded[] =>
  workspace.recordAll((store) => {
    const adoption = new Adoption({
      operations,
      after: store.log.highest,
      source,
      at: now().toISOString(),
      session: manifest.session as SessionId,
      name,
      root: toText(workspace.root),
      transcript,
    });
    const batch = store.objects.begin();
    const written = operations.map((checked) => {
      const operation = adoption.adopt(checked);
      const id = store.log.write(batch, operation, checked.tree);
      adoption.isCalled(checked.id, id);
      return { id, operation, state: checked.state };
    });
    store.log.appendAll(batch, written);
    return written.map(({ id, operation, state }) => ({ ...operation, id, state }));
  });

/** What the session of an import that was made before is called here. */
const nameOf = (known: readonly Recorded[], { header: { refs }, manifest }: Given): SessionId => {
  const session = manifest.session as SessionId;
  const of = dirname(refOf({ session, sequence: 1 }));
  const own = new Set([...refs].filter(([name]) => dirname(name) === of).map(([, id]) => id));
  return known.find(({ imported }) => imported !== undefined && own.has(imported.from))?.session ?? session;
};

const resultOf = ({ manifest }: Given, recorded: readonly Recorded[], session: SessionId, isKnown: boolean): ImportResult => ({
  session,
  operations: recorded.length,
  checkpoints: recorded.filter(isCheckpoint).length,
  conversation: manifest.conversation,
  excluded: manifest.excluded,
  isKnown,
  newest: recorded.findLast((operation) => isCheckpoint(operation) && operation.session === session)?.id ?? null,
});
