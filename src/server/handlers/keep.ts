import { agentSession, keepWork, planKeep } from '../../engine/index.ts';
import { keepJson, keptJson } from '../../json/keep.ts';
import { asJob } from '../apply-plan.ts';
import { needsConfirmation } from '../confirmed.ts';
import type { HandlersOf } from '../handler.ts';

export const keepHandlers: HandlersOf<'keepSession'> = {
  keepSession: async (context) => {
    const { workspace, params, body } = context;
    const { each, all, push, dryRun, expected } = body;
    const request = { session: agentSession(workspace, params.session), each, all, push };
    if (dryRun) return keepJson(await planKeep(workspace, request));
    if (expected === undefined) throw needsConfirmation(keepJson(await planKeep(workspace, request)));
    return asJob(context, 'keepSession', async () => keptJson(await keepWork(workspace, request, { shown: { expected } })));
  },
};
