import { mendGitHealth, planGitMend, readHealth } from '../../engine/index.ts';
import { needsConfirmation } from '../confirmed.ts';
import type { HandlersOf } from '../handler.ts';

export const healthHandlers: HandlersOf<'getHealth' | 'fixHealth'> = {
  getHealth: ({ workspace }) => readHealth(workspace),
  fixHealth: async ({ workspace, body: { dryRun, expected } }) => {
    const plan = await planGitMend(workspace);
    if (dryRun) return plan;
    if (expected === undefined) throw needsConfirmation(plan);
    const { changed, overriding, after } = await mendGitHealth(workspace, expected);
    return { changed, overriding, verdict: after.verdict, expected };
  },
};
