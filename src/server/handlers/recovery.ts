import type { RouteName } from '../../api/index.ts';
import {
  abortRecovery,
  agentSession,
  beginRecovery,
  beginRecoveryOf,
  commitsToBe,
  continueRecovery,
  finishRecovery,
  type Recovering,
  type RollbackRequest,
  resolveAbort,
} from '../../engine/index.ts';
import { partsBeforeWarnings, recoveryCommitsJson, recoveryCommittedJson } from '../../json/recovery.ts';
import type { OperationId } from '../../model/index.ts';
import { type ApplyContext, asJob } from '../apply-plan.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';
import { apply, applyAnyway, preview } from '../plan-client.ts';
import { assertCommitsShown, sealedWith, shownBy } from '../shown-commits.ts';

export const recoveryHandlers: HandlersOf<'recoverSession' | 'recoverCommit' | 'continueRecovery' | 'abortRecovery'> = {
  recoverSession: async (context) => {
    const { workspace, params, body } = context;
    const session = agentSession(workspace, params.session);
    const request = { session, squash: body.strategy === 'squash', commit: body.commit, ...choiceOf(workspace, body) };
    const begun = await (body.steps === undefined
      ? beginRecoveryOf(workspace, session, request)
      : beginRecovery(workspace, body.steps, request));
    return recover(context, 'recoverSession', begun, begun.recovery.request);
  },
  recoverCommit: async (context) => {
    const { workspace, params, body } = context;
    const session = body.session === undefined ? undefined : agentSession(workspace, body.session);
    const begun = await beginRecovery(workspace, [params.commit], { session, commit: body.commit, ...choiceOf(workspace, body) });
    return recover(context, 'recoverCommit', begun, begun.recovery.request);
  },
  continueRecovery: async (context) => {
    const rest = await continueRecovery(context.workspace, choiceOf(context.workspace, context.body));
    return rest.recovery === null
      ? close(context, rest, rest.goesOnWith)
      : recover(context, 'continueRecovery', rest, rest.recovery.request);
  },
  abortRecovery: async (context) => {
    const { workspace, body } = context;
    if (body.dryRun) {
      const { request, before } = resolveAbort(workspace);
      const shown = await asJob(context, 'abortRecovery', (job) => preview(workspace, request, job));
      return { ...shown, warnings: [...shown.warnings, ...partsBeforeWarnings(before)] };
    }
    return asJob(context, 'abortRecovery', async (job) => {
      const undone = await abortRecovery(workspace, async (request, done) => {
        // What was shown is the newest part; those before it begin where that ended.
        const part = done === 0 ? apply(workspace, request, body, job) : applyAnyway(workspace, request, {}, job);
        return (await part).rollbackId as OperationId | null;
      });
      return { undone };
    });
  },
};

const recover = async (context: ApplyContext, kind: RouteName, recovering: Recovering, request: RollbackRequest) => {
  const { workspace, body } = context;
  return asJob(context, kind, async (job) => {
    if (body.dryRun) {
      const plan = await preview(workspace, request, job);
      const planned = await commitsToBe(workspace, recovering, plan.conflicts);
      return { ...plan, ...recoveryCommitsJson(planned), expectedTree: sealedWith(planned, plan.expectedTree) };
    }
    const shown = shownBy(body.expectedTree);
    await assertCommitsShown(workspace, recovering, shown, () => preview(workspace, request, job));
    const done = await apply(workspace, request, shown, job);
    const { rollbackId: id, left } = done;
    const made = await finishRecovery(workspace, recovering, id === null ? null : { id, left }, { shown: shown.commits });
    return { ...done, ...recoveryCommittedJson(made) };
  });
};

/** All that was left was to be finished by hand, and is, or to be committed. */
const close = async (context: ApplyContext, recovering: Recovering, recovery: string) => {
  const { workspace, body } = context;
  const told = { recovery, left: null };
  if (body.dryRun) {
    const planned = await commitsToBe(workspace, recovering);
    return { ...told, ...recoveryCommitsJson(planned), ...(typeof planned === 'object' ? { expectedTree: sealedWith(planned) } : {}) };
  }
  return asJob(context, 'continueRecovery', async () => {
    const shown = shownBy(body.expectedTree);
    await assertCommitsShown(workspace, recovering, shown, async () => ({ ...told, conflicts: [] }));
    return { ...told, ...recoveryCommittedJson(await finishRecovery(workspace, recovering, null, { shown: shown.commits })) };
  });
};
