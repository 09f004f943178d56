import { isWithin, type RelativePath } from './bytes.ts';

/** A part of a workspace: paths at or below these, and not at or below those. */
export interface Extent {
  readonly only?: readonly RelativePath[];
  readonly except?: readonly RelativePath[];
}

export const isIn = ({ only, except }: Extent, path: RelativePath): boolean =>
  (only?.some((one) => isWithin(path, one)) ?? true) && !except?.some((one) => isWithin(path, one));

export const isWhole = ({ only, except = [] }: Extent): boolean => only === undefined && except.length === 0;
