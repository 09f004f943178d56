import type { FileDiff } from '../../diff/index.ts';
import { type Hunk, hunksBetween, isBinary } from '../../diff/text/index.ts';
import { type BlobId, type Node, RetakeError } from '../../model/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { SharedWith } from './report.ts';

/** A file that changed, and the change itself on demand. */
export interface ReportFile extends FileDiff {
  readonly shared: SharedWith;
  text(): FileText;
}

/** The lines that changed, or why there are none to show. */
export type FileText =
  | { readonly is: 'lines'; readonly hunks: readonly Hunk[] }
  | { readonly is: 'withheld' | 'binary' | 'mode' | 'damaged' }
  | { readonly is: 'large'; readonly bytes: number };

/** Larger files are not compared line by line: nobody reads that, and it takes long. */
const LARGE = 2_000_000;

export const readText = (objects: ObjectStore, from: Node | null, to: Node | null): FileText => {
  const [before, after] = [blobOf(from), blobOf(to)];
  if (before === after) return { is: 'mode' };
  try {
    const bytes = Math.max(...[before, after].map((blob) => (blob === null ? 0 : objects.size(blob))));
    if (bytes > LARGE) return { is: 'large', bytes };
    const [old, now] = [contentOf(objects, before), contentOf(objects, after)];
    return isBinary(old) || isBinary(now) ? { is: 'binary' } : { is: 'lines', hunks: hunksBetween(old, now) };
  } catch (error) {
    if (error instanceof RetakeError && error.code === 'store-damaged') return { is: 'damaged' };
    throw error;
  }
};

const blobOf = (node: Node | null): BlobId | null => (node !== null && 'blob' in node ? node.blob : null);

const contentOf = (objects: ObjectStore, blob: BlobId | null): Buffer => (blob === null ? Buffer.alloc(0) : objects.readBlob(blob));
