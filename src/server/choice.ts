import type { MergeChoice, ReplayChoice, Workspace } from '../engine/index.ts';
import { pathIn } from './paths.ts';

/** What a request says is to be done about conflicts. */
export const choiceOf = (
  workspace: Workspace,
  {
    onConflict,
    resolve,
  }: { readonly onConflict: MergeChoice | 'abort'; readonly resolve: readonly { readonly path: string; readonly choice: MergeChoice }[] },
): ReplayChoice => ({
  choices: resolve.map(({ path, choice }) => [pathIn(workspace, path), choice] as const),
  rest: onConflict === 'abort' ? null : onConflict,
});
