import {
  isCheckpoint,
  isRollback,
  type Operation,
  type OperationId,
  type OutsideFile,
  RetakeError,
  type TreeId,
  type WorkspaceState,
} from '../../model/index.ts';
import { type ObjectStore, refOf, type TreeEntry } from '../../store/index.ts';
import { badExport } from './bad-export.ts';
import type { CheckedTrees } from './checked-tree.ts';
import { isManifest, isPlan, readOperation } from './operation-shape.ts';
import { parseJson } from './shapes.ts';

/** An operation of which everything is there and of the right shape. */
export interface CheckedOperation {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly tree: TreeId;
  readonly state: WorkspaceState | null;
}

const LONGEST_MESSAGE = 64 << 20;

const PARTS: ReadonlySet<string> = new Set(['files', 'meta', 'manifest', 'plan', 'staging', 'outside']);

/** Reads an operation with all that it holds. Whatever is missing, damaged or no operation is refused. */
export const checkOperation = (objects: ObjectStore, trees: CheckedTrees, ref: string, id: OperationId): CheckedOperation => {
  try {
    if (objects.size(id) > LONGEST_MESSAGE) throw badExport('one of its operations is too large');
    const { tree, parents, message } = objects.readCommit(id);
    const operation = readOperation(message.toString('utf8'));
    if (operation === undefined || parents.length > 0) throw badExport(`${id} is no operation`);
    if (refOf(operation) !== ref) throw badExport(`${id} is not what ${ref} says it is`);
    return { id, operation, tree, state: checkContent(trees, operation, trees.entries(tree)) };
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') throw badExport(error.message, error);
    throw error;
  }
};

const checkContent = (trees: CheckedTrees, operation: Operation, entries: ReadonlyMap<string, TreeEntry>): WorkspaceState | null => {
  const isStated = isCheckpoint(operation) || isRollback(operation);
  if (entries.size === 0 && !isStated) return null;
  const [files, manifest] = [entries.get('files'), entries.get('manifest')];
  const isContent = isStated || (operation.kind === 'keep' && operation.mode === 'step');
  if (!isContent || files === undefined || manifest === undefined || [...entries.keys()].some((name) => !PARTS.has(name)))
    throw badExport(`an operation of the kind ${operation.kind} holds something else than it should`);
  trees.files(files.id);
  const meta = entries.get('meta');
  if (meta !== undefined) trees.meta(meta.id);
  if (!isManifest(parseJson(trees.blob(manifest.id).toString())))
    throw badExport('it tells what was left out in a way that can not be read');
  checkPlan(trees, operation, entries.get('plan'));
  checkStaging(trees, operation, entries.get('staging'));
  checkOutside(trees, isCheckpoint(operation) || isRollback(operation) ? (operation.outside ?? []) : [], entries.get('outside'));
  return { files: files.id as TreeId, meta: (meta?.id as TreeId | undefined) ?? null };
};

const checkPlan = (trees: CheckedTrees, operation: Operation, plan: TreeEntry | undefined): void => {
  if (isRollback(operation) !== (plan !== undefined)) throw badExport('one of its rollbacks has no plan');
  if (plan !== undefined && !isPlan(parseJson(trees.blob(plan.id).toString()))) throw badExport('one of its plans can not be read');
};

const checkStaging = (trees: CheckedTrees, operation: Operation, entry: TreeEntry | undefined): void => {
  const staging = 'git' in operation ? operation.git?.staging : undefined;
  const wanted = staging != null && 'entries' in staging ? staging.entries : undefined;
  if (wanted !== entry?.id) throw badExport('what it tells of a git index does not fit together');
  if (entry !== undefined) trees.flat(entry.id);
};

const checkOutside = (trees: CheckedTrees, files: readonly OutsideFile[], entry: TreeEntry | undefined): void => {
  const held = new Map(entry === undefined ? [] : trees.flat(entry.id).map(({ name, id }) => [name as string, id as string]));
  const wanted = new Map(
    files.flatMap(({ path, content }) => (content === null ? [] : [[encodeURIComponent(path), content.blob as string]])),
  );
  if (held.size !== wanted.size || [...wanted].some(([name, blob]) => held.get(name) !== blob))
    throw badExport('what it tells of files outside the workspace does not fit together');
};
