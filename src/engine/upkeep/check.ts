import { join, relative } from 'node:path';
import { exists } from '../../host/index.ts';
import { inspectIndex, inTheWay } from '../../index/index.ts';
import type { ObjectId, OperationId, Recorded } from '../../model/index.ts';
import { findLost, inspectObjectFiles, LAST, MISSING, type RefSurvey, refOf, surveyRefs } from '../../store/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { checkFiles } from './check-files.ts';
import { checkPinned, pinnedPath } from './check-pinned.ts';
import type { Finding, Remark } from './findings.ts';
import { type LogLook, lookAtLog } from './known-elsewhere.ts';
import { type BrokenPath, ObjectWalk } from './object-walk.ts';

export interface CheckOptions {
  /** Every byte is read; else trees are, and of content it is only seen that it is there. */
  readonly full: boolean;
  readonly onProgress?: ((what: 'objects' | 'files', done: number) => void) | undefined;
}

export interface CheckReport {
  readonly full: boolean;
  readonly operations: number;
  readonly objects: number;
  readonly damage: readonly Finding[];
  readonly remarks: readonly Remark[];
  /** The operations that damage affects and that can be read, oldest first. */
  readonly affected: readonly AffectedOperation[];
}

export interface AffectedOperation {
  readonly operation: Recorded;
  /** What of it is lost. */
  readonly paths: readonly BrokenPath[];
}

/** Looks whether all that was recorded can be read, and names what is affected where not. Changes nothing: the workspace is opened as it is. */
export const checkStore = async (workspace: Workspace, { full, onProgress }: CheckOptions): Promise<CheckReport> => {
  const { data, store } = workspace;
  const look = lookAtLog(workspace);
  const { survey, known, unheld } = look;
  const walk = new ObjectWalk(store.objects, full, (objects) => onProgress?.('objects', objects));
  const lost = full ? findLost(store, survey, known) : unheld.filter(({ id }) => store.log.readIfIntact(id) !== undefined);
  const gone = unheld.filter(({ id }) => lost.every((operation) => operation.id !== id));
  const { findings: objects, affected } = checkObjects(walk, [...survey.operations, ...lost]);
  const { findings: files, remarks } = checkFiles(workspace);
  const missing = new Set([...objects.map(({ object }) => object), ...[...survey.unreadable, ...gone].map(({ id }) => id)]);
  const objectFiles = checkObjectFiles(workspace, { full, missing, onProgress });
  const damage = [
    ...stillThere(workspace, [...checkOperations(survey), ...objects], lost),
    ...gone.map(operationGone),
    ...checkRefs(survey, lost, gone),
    ...files,
    ...objectFiles.findings,
    ...checkLedger(workspace),
  ];
  const index = checkIndex(workspace, look, full);
  const held = full ? await checkPinned(workspace) : [];
  if (held.length > 0) damage.push({ kind: 'held', file: relative(data, pinnedPath(workspace)), problem: held.join('; '), operations: [] });
  return {
    full,
    operations: survey.operations.length + survey.unreadable.length + lost.length + gone.length,
    objects: walk.count,
    damage: [...damage, ...index.findings],
    remarks: [...remarks, ...objectFiles.remarks, ...index.remarks, ...unfinished(workspace, survey)],
    affected,
  };
};

const checkObjects = (walk: ObjectWalk, operations: readonly Recorded[]): { findings: Finding[]; affected: AffectedOperation[] } => {
  const found = new Map<ObjectId, { problem: string; operations: OperationId[] }>();
  const affected: AffectedOperation[] = [];
  for (const operation of operations) {
    const broken = walk.damageIn(operation);
    if (broken.length > 0) affected.push({ operation, paths: walk.pathsIn(operation) });
    for (const { id, problem } of broken) {
      const entry = found.get(id) ?? { problem, operations: [] };
      entry.operations.push(operation.id);
      found.set(id, entry);
    }
  }
  return { findings: [...found].map(([object, entry]) => ({ kind: 'object', object, ...entry })), affected };
};

const checkOperations = ({ unreadable }: RefSurvey): Finding[] =>
  unreadable.map(({ ref, id }) => ({ kind: 'operation', object: id, file: inStore(ref), problem: 'it can not be read', operations: [id] }));

const operationGone = (operation: Recorded): Finding => ({
  kind: 'operation',
  object: operation.id,
  file: inStore(refOf(operation)),
  problem: `only the index knows of it (${operation.description})`,
  operations: [operation.id],
});

/** What was removed from the log while we looked is no loss. */
const stillThere = ({ store }: Workspace, findings: readonly Finding[], lost: readonly Recorded[]): Finding[] => {
  if (findings.length === 0) return [];
  const { operations, unreadable } = surveyRefs(store);
  const present = new Set([...operations, ...unreadable, ...lost].map(({ id }) => id));
  return findings.filter((finding) => finding.operations.some((id) => present.has(id)));
};

const checkRefs = (survey: RefSurvey, lost: readonly Recorded[], gone: readonly Recorded[]): Finding[] => {
  const ref = (file: string, problem: string, operations: OperationId[] = []): Finding => ({ kind: 'ref', file, problem, operations });
  const found = [
    ...survey.torn.map((name) => ref(inStore(name), 'it names no object')),
    ...survey.misplaced.map(({ ref: name, operation }) => ref(inStore(name), 'it holds another operation', [operation.id])),
    ...survey.garbage.map((line) => ref(inStore('packed-refs'), `a line says nothing: ${JSON.stringify(line.slice(0, 80))}`)),
    ...lost
      .filter(({ id }) => !survey.misplaced.some(({ operation }) => operation.id === id))
      .map((operation) => ref(inStore('refs'), `the ref of operation ${operation.sequence} is missing`, [operation.id])),
  ];
  const unnamed = survey.gaps - lost.length - gone.length;
  if (unnamed > 0) {
    found.push(ref(inStore('refs'), `${unnamed} of the numbers that operations have are nobody's, and no record tells of their removal`));
  }
  if (survey.last !== null) found.push({ kind: 'last', file: inStore(LAST), problem: survey.last, operations: [] });
  return found;
};

const checkObjectFiles = (
  { data, storePath, store }: Workspace,
  { full, missing, onProgress }: { full: boolean; missing: ReadonlySet<ObjectId | undefined> } & Pick<CheckOptions, 'onProgress'>,
): { findings: Finding[]; remarks: Remark[] } => {
  const packs = store.objects.damagedPacks.map(({ file, problem }) => ({
    kind: file.endsWith('.idx') ? ('pack-index' as const) : ('pack' as const),
    file,
    problem,
  }));
  const faults = (full ? inspectObjectFiles(storePath, (files) => onProgress?.('files', files)) : [])
    // The object is named already, with those that need it.
    .filter(({ file, object }) => !packs.some((pack) => pack.file === file) && (object === undefined || !missing.has(object)))
    .map(({ kind, ...fault }) => ({ kind: kind === 'loose' ? ('copy' as const) : kind, ...fault }));
  // Whoever writes a pack puts its index beside it last: as long as nothing is missing, one without is of a process that was killed.
  const isUnfinished = ({ kind, problem }: { kind: string; problem: string }): boolean =>
    kind === 'pack-index' && problem === MISSING && missing.size === 0;
  const toFinding = <F extends { file: string }>(fault: F) => ({ ...fault, file: relative(data, fault.file), operations: [] });
  return {
    findings: [...packs, ...faults.filter((fault) => !isUnfinished(fault))].map(toFinding),
    remarks: faults
      .filter(isUnfinished)
      .map(({ file }) => ({ file: relative(data, file), remark: 'its pack was never finished; gc removes it' })),
  };
};

const checkLedger = (workspace: Workspace): Finding[] => {
  const { log } = workspace.store;
  const file = inStore('retake-ledger');
  if (log.isLedgerNoFile) return [{ kind: 'ledger', file, problem: 'it is no file', operations: [] }];
  if (!log.isLedgerTorn || workspace.isBusy) return [];
  return [{ kind: 'ledger', file, problem: 'it ends in something that is not a whole entry', operations: [] }];
};

const checkIndex = (workspace: Workspace, { survey, unheld }: LogLook, full: boolean): { findings: Finding[]; remarks: Remark[] } => {
  const file = relative(workspace.data, workspace.indexPath);
  if (!exists(workspace.indexPath) && inTheWay(workspace.indexPath).length === 0) return { findings: [], remarks: [] };
  const newest = survey.last === null ? survey.operations.at(-1) : undefined;
  const state = inspectIndex(workspace.indexPath, {
    operations: survey.operations,
    isWhole: survey.unreadable.length + survey.torn.length + survey.misplaced.length + survey.gaps === 0,
    newest: { last: newest?.id ?? ('' as OperationId), sequence: newest?.sequence ?? 0 },
    full,
  });
  if (state.is === 'damaged') return { findings: [{ kind: 'index', file, problem: state.problem, operations: [] }], remarks: [] };
  const remarks =
    state.is === 'behind' && unheld.length === 0
      ? [{ file, remark: 'it has not read all of the log yet; the next command that needs it does' }]
      : [];
  return { findings: [], remarks };
};

const unfinished = (workspace: Workspace, survey: RefSurvey): Remark[] => [
  ...survey.unfinished.map(({ sequence }) => ({
    file: inStore('refs'),
    remark: `operation ${sequence} has no ref yet; the next command makes it`,
  })),
  ...(workspace.store.log.isBehind
    ? [{ file: inStore('retake-ledger'), remark: 'operations wait to be put in their places; the next command does it' }]
    : []),
  ...(workspace.isCutShort ? [{ file: '.', remark: 'something was cut short; the next command completes it' }] : []),
];

const inStore = (name: string): string => join('store.git', name);
