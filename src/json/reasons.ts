import { pathFields, type RelativePath } from '../model/index.ts';

/** Paths that were left alone, and why. */
export const reasonsJson = (list: readonly { readonly path: RelativePath; readonly reason: string }[]) =>
  list.map(({ path, reason }) => ({ ...pathFields(path), reason }));
