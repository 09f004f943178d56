import { createContext, useContext } from 'react';

const WorkspaceId = createContext<string | undefined>(undefined);

/** Which workspace the views below are about. */
export const WorkspaceProvider = WorkspaceId.Provider;

export const useWorkspaceId = (): string => {
  const id = useContext(WorkspaceId);
  if (id === undefined) throw new Error('outside of a workspace');
  return id;
};
