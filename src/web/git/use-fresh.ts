import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RouteName } from '../../api/index.ts';
import { useWorkspaceId } from '../client/workspace.tsx';

/** Asks anew whenever the view is opened, and when somebody comes back to it: what git does, no event tells. */
export const useFresh = (name: RouteName): void => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  useEffect(() => {
    const askAgain = (): void => void client.invalidateQueries({ queryKey: [workspace, name] });
    askAgain();
    window.addEventListener('focus', askAgain);
    return () => window.removeEventListener('focus', askAgain);
  }, [client, workspace, name]);
};
