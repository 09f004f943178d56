/**
 * diff/text: which lines of a file changed, as hunks and as patches; two sides' changes as one text. Pure: bytes in, values out.
 */
export { hunksBetween, withHunks } from './choose-hunks.ts';
export * from './hunk-window.ts';
export * from './hunks.ts';
export * from './line-diff.ts';
export { LineHistory } from './line-history.ts';
export { isBinary, isTerminated, splitLines } from './lines.ts';
export { hasMarkers, markedLines } from './marked.ts';
export type { MergeLabels } from './markers.ts';
export { mergeText, type Sides } from './merge.ts';
export * from './patch.ts';
export { quotePath } from './quote-path.ts';
export { transplant } from './transplant.ts';
