import type { MergeChoice, ReplayChoice, Workspace } from '../engine/index.ts';
import { pathIn } from './paths.ts';

interface Chosen {
  readonly onConflict: MergeChoice | 'abort';
  readonly resolve?: readonly { readonly path: string; readonly choice: MergeChoice }[];
}

/** What a request wants done about conflicts. */
export const choiceOf = (workspace: Workspace, { onConflict, resolve = [] }: Chosen): ReplayChoice => ({
  choices: resolve.map(({ path, choice }) => [pathIn(workspace, path), choice]),
  rest: onConflict === 'abort' ? null : onConflict,
});
