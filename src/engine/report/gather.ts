import { diffFiles, leafChanges, type StateChange } from '../../diff/index.ts';
import { now } from '../../host/index.ts';
import {
  isCheckpoint,
  isRollback,
  lineOf,
  type Recorded,
  type RelativePath,
  type RollbackScope,
  type SessionId,
  toText,
} from '../../model/index.ts';
import { type Actor, type AttributedChange, attributeChanges, changesBy, inForce, isStep } from '../../timeline/index.ts';
import { countWork } from '../conversation/session-extent.ts';
import { notRecorded } from '../conversation/session-named.ts';
import { findSession } from '../conversation/session-summary.ts';
import type { Workspace } from '../core/workspace.ts';
import { withheldBy } from '../read/export-exclude.ts';
import { type LogEntry, readOmissions, withDetails } from '../read/log.ts';
import { changesOf, unlessDamaged } from '../read/record-changes.ts';
import type { Remaining } from '../read/remaining.ts';
import { type ReachabilityRequest, reachabilityOf } from '../recover/reachability.ts';
import { measured } from '../timing/measured.ts';
import { netChanges } from './agent-changes.ts';
import type { Happening, LeftOut, Report, ReportTurn, SharedWith } from './report.ts';
import { type ReportFile, readText } from './report-file.ts';
import { readSaid, type Said } from './said.ts';
import { sharesIn } from './shares-in.ts';

/** Everything that is told of a session, by its id or the first characters of it. */
export const gatherReport = (workspace: Workspace, address: string): Promise<Report> =>
  measured(workspace, 'report', () => gather(workspace, address));

const gather = async (workspace: Workspace, address: string): Promise<Report> => {
  const session = findSession(workspace, address);
  if (session.state === 'unrecorded') throw notRecorded(session.id);
  const edits = await countWork(workspace, session.id);
  return workspace.write(() => {
    const listed = workspace.index.list().reverse();
    const own = listed.filter(({ operation }) => operation.session === session.id);
    const [first, last] = [own[0]?.operation, own.at(-1)?.operation];
    if (first === undefined || last === undefined) throw notRecorded(session.id);
    const line = lineOf(first);
    const all = listed.filter(({ operation }) => lineOf(operation) === line);
    const told = all.filter(({ operation }) => isTold(operation, session.id, first.sequence, last.sequence));
    const entries = withDetails(workspace, told);
    const attributedChanges = attributeChanges(all.map(({ operation }) => operation)).filter(({ at }) => at.sequence <= last.sequence);
    const files = fileMaker(workspace, sharesIn(workspace, attributedChanges, session.id, first.sequence));
    const said = readSaid(workspace, session.id);
    const turns = turnsIn(workspace, entries, session.id, said, (isMeant) =>
      files(netChanges(workspace, changesBy(attributedChanges, isMeant))),
    );
    return {
      workspace: toText(workspace.root),
      madeAt: now().toISOString(),
      session,
      counts: {
        turns: session.turns,
        steps: session.steps,
        rollbacks: entries.filter(({ operation }) => isRollback(operation)).length,
      },
      edits,
      files: files(netChanges(workspace, standingWork(workspace, attributedChanges, session.id, { line }))),
      turns,
      leftOut: leftOutOf(workspace, entries, said),
    };
  });
};

/** What the log has of the session, and what happened to the workspace meanwhile that no other session did. */
const isTold = (operation: Recorded, session: SessionId, first: number, last: number): boolean => {
  if (
    operation.kind === 'name' ||
    operation.kind === 'note' ||
    operation.kind === 'pin' ||
    operation.kind === 'delete' ||
    operation.kind === 'prune' ||
    operation.kind === 'safety'
  )
    return false;
  if (operation.session === session) return true;
  const isMeanwhile = operation.sequence > first && operation.sequence < last;
  if (operation.kind === 'fork-point') return operation.sessions.includes(session);
  return isMeanwhile && !(isCheckpoint(operation) && operation.event !== undefined);
};

/** What the session's agent changed and is in the present: what its edits are counted of, too. */
const standingWork = (
  workspace: Workspace,
  attributedChanges: readonly AttributedChange[],
  session: SessionId,
  request: ReachabilityRequest,
) =>
  inForce(
    changesBy(attributedChanges, (actor) => actor.session === session),
    reachabilityOf(workspace, request),
    (id) => workspace.index.get(id)?.operation,
  );

type MakeFiles = (changes: readonly StateChange[]) => ReportFile[];

const fileMaker = (workspace: Workspace, sharesOf: (path: ReportFile['path']) => SharedWith): MakeFiles => {
  const { objects } = workspace.store;
  const isWithheld = withheldBy(workspace.settings);
  return (changes) => {
    const leaves = leafChanges(changes);
    const diffs = unlessDamaged(
      () => diffFiles(objects, changes),
      leaves.map(({ path }) => ({ path, status: 'modified' as const, insertions: 0, deletions: 0, binary: false })),
    );
    return diffs.map((diff, at) => ({
      ...diff,
      shared: sharesOf(diff.path),
      text: () => (isWithheld(diff.path) ? { is: 'withheld' } : readText(objects, leaves[at]?.from ?? null, leaves[at]?.to ?? null)),
    }));
  };
};

type FilesBy = (isMeant: (actor: Actor) => boolean) => readonly ReportFile[];

/** A turn goes on until the next prompt; what else happened meanwhile is told in it. */
const turnsIn = (workspace: Workspace, entries: readonly LogEntry[], session: SessionId, said: Said, filesBy: FilesBy): ReportTurn[] => {
  const groups: { turn: number; entries: LogEntry[] }[] = [];
  for (const entry of entries) {
    const { operation } = entry;
    const event = operation.session === session && isCheckpoint(operation) ? operation.event : undefined;
    const current = groups.at(-1);
    if (current === undefined || (event !== undefined && event.turn !== current.turn))
      groups.push({ turn: event?.turn ?? 0, entries: [entry] });
    else current.entries.push(entry);
  }
  return groups.flatMap(({ turn, entries: own }): ReportTurn[] => {
    const prompt = own.find(isPrompt);
    const happenings = own.flatMap((entry): Happening[] => {
      const is = whatIs(entry, session);
      return is === null ? [] : [{ is, entry, paths: pathsIn(workspace, entry) }];
    });
    const files = filesBy((actor) => actor.session === session && actor.turn === turn);
    if (turn === 0 && happenings.length === 0 && files.length === 0) return [];
    const promptId = promptIdOf(prompt);
    return [
      {
        number:
          turn === 0
            ? null
            : (own.find(({ operation }) => operation.session === session && isCheckpoint(operation) && operation.event?.turn === turn)
                ?.turn ?? null),
        prompt: prompt === undefined ? null : (said.promptOf(promptId) ?? prompt.operation.description),
        at: (prompt ?? own[0])?.operation.createdAt ?? null,
        rolledBack: prompt?.rolledBack ?? ofAllSteps(own),
        remaining: allRemaining(own),
        happenings,
        lastWords: said.lastWordsOf(promptId),
        files,
      },
    ];
  });
};

/** A prompt stays where only what was done for it went back. */
const ofAllSteps = (entries: readonly LogEntry[]): RollbackScope | null => {
  const steps = entries.filter(({ operation }) => isCheckpoint(operation) && isStep(operation));
  return steps.every(({ rolledBack }) => rolledBack !== null) ? (steps[0]?.rolledBack ?? null) : null;
};

const allRemaining = (entries: readonly LogEntry[]): Remaining | null => {
  const found = entries.flatMap(({ remaining }) => remaining ?? []);
  if (found.length === 0) return null;
  return { outside: [...new Set(found.flatMap(({ outside }) => outside))], git: found.some(({ git }) => git) };
};

const isPrompt = ({ operation }: LogEntry): boolean => operation.kind === 'prompt' && operation.event?.added === undefined;

const promptIdOf = (prompt: LogEntry | undefined): string | null =>
  (prompt !== undefined && isCheckpoint(prompt.operation) ? prompt.operation.event?.place.promptId : undefined) ?? null;

const whatIs = ({ operation, counts, by, note, pinned, name, gitNews }: LogEntry, session: SessionId): Happening['is'] | null => {
  if (operation.session !== session || !isCheckpoint(operation) || operation.event === undefined) return 'moment';
  if (operation.kind === 'after-step') return isStep(operation) ? 'step' : 'others';
  if (operation.event.added) return 'added';
  const isChange = counts === null || counts.changed > 0;
  if (isChange && by !== null) return by === 'person' ? 'others' : 'step';
  const isRemarkable = note !== null || pinned || name !== null || gitNews.length > 0 || operation.kind === 'compact';
  return isRemarkable ? 'moment' : null;
};

const pathsIn = (workspace: Workspace, { operation, counts }: LogEntry): RelativePath[] =>
  counts === null || counts.changed === 0
    ? []
    : unlessDamaged(() => leafChanges(changesOf(workspace, operation) ?? []), []).map(({ path }) => path);

const leftOutOf = (workspace: Workspace, entries: readonly LogEntry[], said: Said): LeftOut[] => {
  const omissions = entries.flatMap(({ operation }) => unlessDamaged(() => readOmissions(workspace, operation), []));
  return [
    ...(said.isThere ? [] : [{ what: 'The conversation', why: 'its file is gone: of prompts the first line is known' }]),
    ...entries
      .filter(({ counts }) => counts === null)
      .map(({ operation }) => ({ what: operation.description, why: 'what it changed can not be read from the store' })),
    ...omissions.map(({ path, reason }) => ({ what: toText(path), why: `it could not be captured (${reason})` })),
  ];
};
