import { entryAt, hasDirectoryAt } from '../../diff/index.ts';
import { isBinary, LineHistory, splitLines } from '../../diff/text/index.ts';
import {
  type BlobId,
  type ByteString,
  isRollback,
  lineOf,
  type Recorded,
  type RelativePath,
  RetakeError,
  shortId,
  toText,
  type WorkspaceState,
} from '../../model/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { type Actor, type AttributedChange, attributeChanges, ownersAt } from '../../timeline/index.ts';
import { type DescribedActor, describeActors } from '../attribution/describe-actors.ts';
import { LINK, type Stretch, trailOfFile } from '../attribution/file-trail.ts';
import { leftOutOf } from '../core/left-out.ts';
import type { Workspace } from '../core/workspace.ts';
import { runningActors, runningSpans } from '../record/running-steps.ts';
import { readAll } from '../recover/session-work.ts';
import { measured } from '../timing/measured.ts';
import { type AddressOptions, resolveCheckpoint } from './resolve.ts';
import { stateAt } from './states.ts';

export interface BlameRequest extends AddressOptions {
  /** The checkpoint whose file is meant; the present unless given. */
  readonly at?: string | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** Who wrote a line; the same value for all lines that came with one change. */
export interface Writer {
  /**
   * `before`: the first record had it. `retake`: a rollback or its kin made it, and nobody wrote it before. `unknown`: records of that time
   * are gone.
   */
  readonly by: 'agent' | 'person' | 'before' | 'retake' | 'unknown';
  /** Steps that overlapped wrote it together; none unless it was an agent. */
  readonly steps: readonly DescribedActor[];
  /** Where it was recorded first; null for what is not recorded yet. */
  readonly record: Recorded | null;
}

export interface BlamedLine {
  /** Without the newline. */
  readonly text: ByteString;
  readonly writer: Writer;
}

/** For each line of a file, who wrote it. */
export const blame = (workspace: Workspace, path: RelativePath, request: BlameRequest = {}): Promise<BlamedLine[]> =>
  measured(workspace, 'blame', () => findWriters(workspace, path, request));

const findWriters = async (
  workspace: Workspace,
  path: RelativePath,
  { at = '@', session, branch, onProgress }: BlameRequest,
): Promise<BlamedLine[]> => {
  const isPresent = at === '@';
  const end = isPresent ? undefined : resolveCheckpoint(workspace, at, { session, branch }).operation;
  const operations = workspace.isProtected ? readAll(workspace, { line: end === undefined ? null : lineOf(end) }) : [];
  const first = operations.find(({ state }) => state !== null);
  if (first === undefined) {
    throw new RetakeError('unknown-id', 'Nothing is recorded here yet, so that nobody is known to have written anything', {
      hint: 'retake checkpoint records the workspace; retake setup has every step of an agent recorded.',
    });
  }
  const state = await stateAt(workspace, at, { session, onProgress });
  const record = end ?? (operations.findLast((operation) => operation.state !== null) as Recorded);
  refuseWhatHasNoLines(workspace, state, path, record, isPresent);

  const attributedChanges = attributeChanges(operations, runningSpans(workspace)).filter(
    (attributed) => attributed.at.sequence <= record.sequence,
  );
  const stretches: Stretch[] = attributedChanges.map((attributed) => ({
    before: attributed.before.state,
    after: attributed.at.state,
    attributed,
  }));
  if (isPresent) stretches.push({ before: record.state as WorkspaceState, after: state, attributed: null });
  return linesOf(workspace, first, stretches, path, operations);
};

const linesOf = (
  workspace: Workspace,
  first: Recorded,
  stretches: readonly Stretch[],
  path: RelativePath,
  operations: readonly Recorded[],
): BlamedLine[] => {
  const { objects } = workspace.store;
  const trail = trailOfFile(objects, first.state as WorkspaceState, stretches, path);
  const sequences = new Map(operations.map(({ id, sequence }) => [id, sequence]));
  const told = describeActors(workspace, operations);
  const running = { actors: runningActors(workspace) };
  const history = new LineHistory<Writer>();
  const begin: Writer = { by: 'before', steps: [], record: first };
  history.change(trail.first ?? '', first.sequence, contentOf(objects, trail.first), begin);
  for (const { attributed, path: name, blob } of trail.versions) {
    const lines = contentOf(objects, blob);
    const sequence = attributed?.at.sequence ?? Number.POSITIVE_INFINITY;
    const writer = attributed === null ? unrecordedWriter(running, name, told) : writerOf(attributed, name, told);
    if (writer.by !== 'retake') history.change(blob ?? '', sequence, lines, writer);
    else history.bringBack(blob ?? '', sequence, lines, writer, targetOf(attributed, sequences));
  }
  return history.lines.map(({ text, note }) => ({ text, writer: note }));
};

const targetOf = (attributed: AttributedChange | null, sequences: ReadonlyMap<string, number>): number =>
  (attributed !== null && isRollback(attributed.at) ? sequences.get(attributed.at.target) : undefined) ?? Number.POSITIVE_INFINITY;

/** What is not recorded yet is the doing of a step that runs, or the person's. */
const unrecordedWriter = (
  running: Pick<AttributedChange, 'actors'>,
  path: RelativePath,
  told: (actor: Actor) => DescribedActor,
): Writer => {
  const steps = ownersAt(running, path).map(told);
  return { by: steps.length === 0 ? 'person' : 'agent', steps, record: null };
};

const writerOf = (attributed: AttributedChange, path: RelativePath, told: (actor: Actor) => DescribedActor): Writer => {
  if (attributed.isPlanned) return { by: 'retake', steps: [], record: attributed.at };
  if (attributed.isGap) return { by: 'unknown', steps: [], record: attributed.at };
  const steps = ownersAt(attributed, path).map(told);
  return { by: steps.length === 0 ? 'person' : 'agent', steps, record: attributed.at };
};

/** Lines without their newlines: whoever goes on after a last line without one did not write that line. */
const contentOf = (store: ObjectStore, blob: BlobId | null): ByteString[] => {
  const bytes = blob === null ? null : store.readBlob(blob);
  if (bytes === null || isBinary(bytes)) return [];
  return splitLines(bytes).map((line) => (line.endsWith('\n') ? (line.slice(0, -1) as ByteString) : line));
};

const refuseWhatHasNoLines = (
  workspace: Workspace,
  state: WorkspaceState,
  path: RelativePath,
  record: Recorded,
  isPresent: boolean,
): void => {
  const { objects } = workspace.store;
  const name = path === '' ? 'The workspace' : toText(path);
  if (hasDirectoryAt(objects, state, path)) {
    throw new RetakeError('not-text', `${name} is a directory`, { hint: 'Give a file in it.' });
  }
  const entry = entryAt(objects, state, path);
  const where = isPresent ? 'in the workspace' : `in checkpoint ${shortId(record.id)}`;
  if (entry === undefined && leftOutOf(workspace, record)(path, false)) {
    throw new RetakeError('no-such-file', `${name} is not recorded: ignore rules or limits leave it out`, {
      hint: 'capture.include in the settings names what is recorded in spite of that.',
    });
  }
  if (entry === undefined) {
    const hint = 'retake log shows when files changed; --at looks at an earlier checkpoint.';
    throw new RetakeError('no-such-file', `There is no file ${name} ${where}`, { hint });
  }
  if (entry.mode === LINK)
    throw new RetakeError('not-text', `${name} is a link, which has no lines`, { hint: 'Give the file it leads to.' });
  if (isBinary(objects.readBlob(entry.id as BlobId))) {
    throw new RetakeError('not-text', `${name} is binary, which has no lines`, { hint: 'retake diff tells whether it changed.' });
  }
};
