import {
  type BlobId,
  type ByteString,
  compareBytes,
  fromText,
  isWithin,
  join,
  type Omission,
  type Operation,
  type OutsideFile,
  type PlanStep,
  type Recorded,
  type RelativePath,
  type TreeId,
} from '../../model/index.ts';
import { decodeManifest, encodeManifest, type ObjectBatch, type ObjectStore, type TreeEntry } from '../../store/index.ts';
import { type Exclusion, unknownWithout } from './exclusion.ts';

/** An operation as it goes into an export: without excluded files and without what means nothing elsewhere. */
export interface ExportedOperation {
  readonly operation: Operation;
  readonly tree: TreeId;
  /** What was left out of it; paths outside the workspace are absolute. */
  readonly left: readonly RelativePath[];
  readonly leftOutside: readonly string[];
}

interface Hands {
  readonly objects: ObjectStore;
  readonly batch: ObjectBatch;
  readonly exclusion: Exclusion;
}

const entry = (name: string, mode: number, id: TreeEntry['id']): TreeEntry => ({ name: name as ByteString, mode, id });

export const exportOperation = (recorded: Recorded, tree: TreeId, hands: Hands): ExportedOperation => {
  const { id: _, state, imported: __, ...operation } = recorded;
  if (state === null) return { operation: operation as Operation, tree, left: [], leftOutside: [] };
  const { objects, batch, exclusion } = hands;
  const before = new Map(objects.readTree(tree).map((one) => [one.name as string, one]));
  const rest = exclusion.without(state);
  const outside = (operation as { outside?: readonly OutsideFile[] }).outside ?? [];
  const kept = outside.filter(({ path }) => !isExcluded(exclusion, path));
  const { manifest, isPartial } = writeManifest(hands, before.get('manifest')?.id as BlobId, rest.left);
  const entries = [
    entry('files', 0o40000, rest.state.files),
    ...(rest.state.meta === null ? [] : [entry('meta', 0o40000, rest.state.meta)]),
    entry('manifest', 0o100644, manifest),
    ...[before.get('plan')].flatMap((plan) => (plan === undefined ? [] : [{ ...plan, id: writePlan(hands, plan.id as BlobId) }])),
    // What is staged is listed there by ids alone. The reflogs stay: they tell of a repository that is not there.
    ...[before.get('staging')].flatMap((staging) => staging ?? []),
    ...outsideEntry(hands, before.get('outside'), kept),
  ];
  return {
    operation: {
      ...operation,
      ...(isPartial && 'status' in operation ? { status: 'partial' } : {}),
      ...('outside' in operation ? { outside: kept } : {}),
    } as Operation,
    tree: batch.tree(entries),
    left: rest.left,
    leftOutside: outside.filter((file) => !kept.includes(file)).map(({ path }) => path),
  };
};

const isExcluded = (exclusion: Exclusion, path: string): boolean => exclusion.has(fromText(path.replace(/^\/+/, '')) as RelativePath);

const writeManifest = ({ objects, batch, exclusion }: Hands, id: BlobId, left: readonly RelativePath[]) => {
  const manifest = decodeManifest(objects.readBlob(id));
  const isHidden = (directory: RelativePath): boolean => exclusion.has(join(directory, '.gitignore'));
  const hidden = manifest.hiddenRules.filter(({ directory }) => isHidden(directory)).map(({ directory }) => join(directory, '.gitignore'));
  if (left.length === 0 && hidden.length === 0) return { manifest: id, isPartial: false };
  const fresh = unknownWithout([...left, ...hidden]).map((path): Omission => ({ path, reason: 'not-exported' }));
  const known = manifest.omissions.filter(({ path }) => !fresh.some((one) => isWithin(path, one.path)));
  const omissions = [...known, ...fresh].sort((a, b) => compareBytes(a.path, b.path));
  const hiddenRules = manifest.hiddenRules.filter(({ directory }) => !isHidden(directory));
  return { manifest: batch.blob(encodeManifest({ ...manifest, hiddenRules, omissions })), isPartial: true };
};

const writePlan = ({ objects, batch, exclusion }: Hands, id: BlobId): BlobId => {
  const steps = JSON.parse(objects.readBlob(id).toString()) as PlanStep[];
  const kept = steps.filter(({ path, from, to }) => !exclusion.has(path, (to ?? from)?.type === 'directory'));
  return kept.length === steps.length ? id : batch.blob(Buffer.from(`${JSON.stringify(kept)}\n`));
};

const outsideEntry = ({ objects, batch }: Hands, before: TreeEntry | undefined, kept: readonly OutsideFile[]): TreeEntry[] => {
  if (before === undefined) return [];
  const names = new Set(kept.map(({ path }) => encodeURIComponent(path)));
  const entries = objects.readTree(before.id as TreeId).filter(({ name }) => names.has(name));
  return entries.length === 0 ? [] : [{ ...before, id: batch.tree(entries) }];
};
