import { useLocation } from 'wouter';
import { useWorkspaceId } from '../client/workspace.tsx';

/** The addresses of all views of a workspace, each made in one place. */
const placesIn = (workspace: string) => {
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

export const usePlaces = () => placesIn(useWorkspaceId());

export const useGo = (): ((place: string) => void) => {
  const [, go] = useLocation();
  return go;
};
