import { assertNever, type Node, type PlanStep } from '../model/index.ts';

/** A plan step taken apart into what is done to the disk, each of which is atomic and can be repeated. */
export type Action =
  | { readonly do: 'open-up'; readonly step: PlanStep; readonly permissions: number }
  | { readonly do: 'remove'; readonly step: PlanStep }
  | { readonly do: 'make-directory'; readonly step: PlanStep; readonly permissions: number }
  | { readonly do: 'put'; readonly step: PlanStep; readonly node: Exclude<Node, { type: 'directory' }> }
  | { readonly do: 'set-permissions'; readonly step: PlanStep; readonly permissions: number };

const OWNER_ALL = 0o700;

/**
 * The order in which a plan is carried out: directories whose permissions change are opened up, then removals from the
 * deepest up, then directories from the top down, then files, and at last the exact permissions of directories.
 */
export const actionsOf = (steps: readonly PlanStep[]): Action[] => {
  const openings: Action[] = [];
  const removals: Action[] = [];
  const directories: Action[] = [];
  const files: Action[] = [];
  const permissions: Action[] = [];
  for (const step of steps) {
    const { type, from, to } = step;
    switch (type) {
      case 'delete':
      case 'rmdir':
        removals.unshift({ do: 'remove', step });
        break;
      case 'retype':
        if (from?.type === 'directory' || to?.type === 'directory') removals.unshift({ do: 'remove', step });
        break;
      case 'create':
      case 'restore':
      case 'mkdir':
      case 'chmod':
        break;
      default:
        assertNever(type);
    }
    if (to === null) continue;
    if (to.type === 'directory') {
      if (from?.type === 'directory') openings.push({ do: 'open-up', step, permissions: from.permissions | to.permissions | OWNER_ALL });
      else directories.push({ do: 'make-directory', step, permissions: to.permissions | OWNER_ALL });
      permissions.unshift({ do: 'set-permissions', step, permissions: to.permissions });
    } else if (type === 'chmod' && to.type !== 'link') files.push({ do: 'set-permissions', step, permissions: to.permissions });
    else files.push({ do: 'put', step, node: to });
  }
  return [...openings, ...removals, ...directories, ...files, ...permissions];
};

/** The steps that lead back. */
export const inverse = (steps: readonly PlanStep[]): PlanStep[] =>
  steps.map(({ type, path, from, to }) => ({ type: INVERSE[type], path, from: to, to: from }));

const INVERSE = {
  create: 'delete',
  delete: 'create',
  mkdir: 'rmdir',
  rmdir: 'mkdir',
  restore: 'restore',
  retype: 'retype',
  chmod: 'chmod',
} as const;
