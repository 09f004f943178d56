import type { TestProject } from 'vitest/node';
import { buildTestPrograms } from './bundle.ts';
import { startCommandServers } from './command-servers.ts';

/** What all test files of a run share. */
export default async ({ provide, config }: TestProject): Promise<() => void> => {
  const { programs, remove } = await buildTestPrograms();
  provide('programs', programs);
  const servers = startCommandServers(Number(config.maxWorkers));
  provide('commandServers', servers.directory);
  return () => {
    servers.end();
    remove();
  };
};
