import { useQuery } from '@tanstack/react-query';
import type { Answered, Client, Routes } from '../../api/index.ts';
import { ask } from './ask.ts';
import { serverKeyOf } from './keys.ts';

type Workspace = Answered<Routes['listWorkspaces']>['workspaces'][number];

/** As many as are told at once. */
const MOST = 500;

/** Every workspace, however many pages they fill. */
export const readWorkspaces = async (asking: Client, limit = MOST, signal?: AbortSignal): Promise<Workspace[]> => {
  const all: Workspace[] = [];
  let cursor: string | undefined;
  do {
    const page = await asking('listWorkspaces', { query: { limit, cursor }, signal });
    all.push(...page.workspaces);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
};

export const useWorkspaces = () =>
  useQuery({ queryKey: serverKeyOf('listWorkspaces'), queryFn: ({ signal }) => readWorkspaces(ask, MOST, signal) });
