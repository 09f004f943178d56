import type { DiffSubject } from '../diff/subject.ts';

/** The addresses of all views of a workspace, each made in one place. */
export const placesIn = (workspace: string) => {
  const root = `/w/${encodeURIComponent(workspace)}`;
  const session = (id: string): string => `${root}/s/${encodeURIComponent(id)}`;
  const on = (path: string, branch: string | undefined): string =>
    branch === undefined ? path : `${path}?branch=${encodeURIComponent(branch)}`;
  return {
    sessions: () => root,
    session: (id: string, branch?: string) => on(session(id), branch),
    checkpoint: (id: string, checkpoint: string, branch?: string) => on(`${session(id)}/c/${encodeURIComponent(checkpoint)}`, branch),
    /** Without `to`: with the present. */
    diff: (id: string, from: string, to?: string) =>
      `${session(id)}/diff/${encodeURIComponent(from)}${to === undefined ? '' : `/${encodeURIComponent(to)}`}`,
    /** What one step changed. */
    step: (id: string, step: string) => `${session(id)}/step/${encodeURIComponent(step)}`,
    /** What one commit of the user's git changed. */
    commit: (id: string, commit: string) => `${session(id)}/commit/${encodeURIComponent(commit)}`,
    /** From the session's start to the present. */
    changes: (id: string) => `${session(id)}/changes`,
    forks: (id: string) => `${session(id)}/forks`,
    compare: (id: string, a: string, b: string) => `${session(id)}/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`,
    recover: (id: string) => `${session(id)}/recover`,
    rollbacks: () => `${root}/rollbacks`,
    git: () => `${root}/git`,
    search: (words = '') => `${root}/search${words === '' ? '' : `?q=${encodeURIComponent(words)}`}`,
    settings: () => `${root}/settings`,
  };
};

/** What is between the slashes of a path, decoded once; undefined where something of it is no text. */
export const partsOf = (pathname: string): readonly string[] | undefined => {
  try {
    return pathname
      .replaceAll(/^\/|\/+$/g, '')
      .split('/')
      .map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
};

/** A view, and what it is about. */
export type Place =
  | { readonly view: 'sessions' | 'rollbacks' | 'git' | 'search' | 'settings' | 'nothing' }
  | { readonly view: 'session'; readonly session: string; readonly checkpoint?: string }
  | { readonly view: 'diff'; readonly subject: DiffSubject }
  | { readonly view: 'forks' | 'recover'; readonly session: string }
  | { readonly view: 'compare'; readonly session: string; readonly a: string; readonly b: string };

const PLAIN = ['rollbacks', 'git', 'search', 'settings'] as const;

/** The view at an address: the parts of its path after the workspace. */
export const placeAt = (parts: readonly string[]): Place => {
  const [part, session = '', what, a = '', b = ''] = parts;
  if (part === undefined) return { view: 'sessions' };
  const plain = PLAIN.find((view) => view === part);
  if (plain !== undefined && parts.length === 1) return { view: plain };
  if (part !== 's' || parts.length === 1 || parts.includes('')) return { view: 'nothing' };
  if (what === undefined) return { view: 'session', session };
  switch (`${what} of ${parts.length - 3}`) {
    case 'c of 1':
      return { view: 'session', session, checkpoint: a };
    case 'diff of 1':
      return { view: 'diff', subject: { of: 'checkpoints', session, from: a } };
    case 'diff of 2':
      return { view: 'diff', subject: { of: 'checkpoints', session, from: a, to: b } };
    case 'step of 1':
      return { view: 'diff', subject: { of: 'step', session, step: a } };
    case 'commit of 1':
      return { view: 'diff', subject: { of: 'commit', session, commit: a } };
    case 'changes of 0':
      return { view: 'diff', subject: { of: 'session', session } };
    case 'forks of 0':
      return { view: 'forks', session };
    case 'recover of 0':
      return { view: 'recover', session };
    case 'compare of 2':
      return { view: 'compare', session, a, b };
    default:
      return { view: 'nothing' };
  }
};
