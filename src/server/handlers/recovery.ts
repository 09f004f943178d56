import type { RouteName } from '../../api/index.ts';
import {
  type Aim,
  abortRecovery,
  agentSession,
  aimAbort,
  beginRecovery,
  beginRecoveryOf,
  commitsToBe,
  continueRecovery,
  finishRecovery,
  type Recovering,
} from '../../engine/index.ts';
import type { OperationId } from '../../model/index.ts';
import { partsBeforeWarnings, recoveryCommitsJson, recoveryCommittedJson } from '../../shapes/recovery.ts';
import { carryOut, carryOutAnyway, propose } from '../carry-out.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';
import { asJob, type Performing } from '../perform.ts';
import { assertCommitsShown, sealedWith, shownBy } from '../shown-commits.ts';

export const recoveryHandlers: HandlersOf<'recoverSession' | 'recoverCommit' | 'continueRecovery' | 'abortRecovery'> = {
  recoverSession: async (asked) => {
    const { workspace, params, body } = asked;
    const session = agentSession(workspace, params.session);
    const request = { session, squash: body.strategy === 'squash', commit: body.commit, ...choiceOf(workspace, body) };
    const begun = await (body.steps === undefined
      ? beginRecoveryOf(workspace, session, request)
      : beginRecovery(workspace, body.steps, request));
    return recover(asked, 'recoverSession', begun, begun.recovery.aim);
  },
  recoverCommit: async (asked) => {
    const { workspace, params, body } = asked;
    const session = body.session === undefined ? undefined : agentSession(workspace, body.session);
    const begun = await beginRecovery(workspace, [params.commit], { session, commit: body.commit, ...choiceOf(workspace, body) });
    return recover(asked, 'recoverCommit', begun, begun.recovery.aim);
  },
  continueRecovery: async (asked) => {
    const rest = await continueRecovery(asked.workspace, choiceOf(asked.workspace, asked.body));
    return rest.recovery === null ? close(asked, rest, rest.goesOnWith) : recover(asked, 'continueRecovery', rest, rest.recovery.aim);
  },
  abortRecovery: async (asked) => {
    const { workspace, body } = asked;
    if (body.dryRun) {
      const { aim, before } = aimAbort(workspace);
      const shown = await asJob(asked, 'abortRecovery', (job) => propose(workspace, aim, job));
      return { ...shown, warnings: [...shown.warnings, ...partsBeforeWarnings(before)] };
    }
    return asJob(asked, 'abortRecovery', async (job) => {
      const undone = await abortRecovery(workspace, async (aim, done) => {
        // What was shown is the newest part; those before it begin where that ended.
        const part = done === 0 ? carryOut(workspace, aim, body, job) : carryOutAnyway(workspace, aim, {}, job);
        return (await part).rollbackId as OperationId | null;
      });
      return { undone };
    });
  },
};

const recover = async (asked: Performing, kind: RouteName, recovering: Recovering, aim: Aim) => {
  const { workspace, body } = asked;
  return asJob(asked, kind, async (job) => {
    if (body.dryRun) {
      const plan = await propose(workspace, aim, job);
      const planned = await commitsToBe(workspace, recovering, plan.conflicts);
      return { ...plan, ...recoveryCommitsJson(planned), expectedTree: sealedWith(planned, plan.expectedTree) };
    }
    const shown = shownBy(body.expectedTree);
    await assertCommitsShown(workspace, recovering, shown, () => propose(workspace, aim, job));
    const done = await carryOut(workspace, aim, shown, job);
    const { rollbackId: id, left } = done;
    const made = await finishRecovery(workspace, recovering, id === null ? null : { id, left }, { shown: shown.commits });
    return { ...done, ...recoveryCommittedJson(made) };
  });
};

/** All that was left was to be finished by hand, and is, or to be committed. */
const close = async (asked: Performing, recovering: Recovering, recovery: string) => {
  const { workspace, body } = asked;
  const told = { recovery, left: null };
  if (body.dryRun) {
    const planned = await commitsToBe(workspace, recovering);
    return { ...told, ...recoveryCommitsJson(planned), ...(typeof planned === 'object' ? { expectedTree: sealedWith(planned) } : {}) };
  }
  return asJob(asked, 'continueRecovery', async () => {
    const shown = shownBy(body.expectedTree);
    await assertCommitsShown(workspace, recovering, shown, async () => ({ ...told, conflicts: [] }));
    return { ...told, ...recoveryCommittedJson(await finishRecovery(workspace, recovering, null, { shown: shown.commits })) };
  });
};
