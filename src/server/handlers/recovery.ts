import type { RouteName } from '../../api/index.ts';
import {
  type Aim,
  abortRecovery,
  aimAbort,
  beginRecovery,
  beginRecoveryOf,
  commitsToBe,
  continueRecovery,
  findSession,
  finishRecovery,
  type Recovering,
} from '../../engine/index.ts';
import { RetakeError } from '../../model/index.ts';
import { recoveryCommitsJson, recoveryCommittedJson } from '../../shapes/recovery.ts';
import { carryOut, carryOutAnyway, propose } from '../carry-out.ts';
import { choiceOf } from '../choice.ts';
import type { HandlersOf } from '../handler.ts';
import { asJob, type Performing, perform } from '../perform.ts';

export const recoveryHandlers: HandlersOf<'recoverSession' | 'recoverCommit' | 'continueRecovery' | 'abortRecovery'> = {
  recoverSession: async (asked) => {
    const { workspace, params, body } = asked;
    const session = findSession(workspace, params.session).id;
    const request = { session, squash: body.strategy === 'squash', commit: body.commit, ...choiceOf(workspace, body) };
    const begun = await (body.steps === undefined
      ? beginRecoveryOf(workspace, session, request)
      : beginRecovery(workspace, body.steps, request));
    return recover(asked, 'recoverSession', begun, begun.recovery.aim);
  },
  recoverCommit: async (asked) => {
    const { workspace, params, body } = asked;
    const session = body.session === undefined ? undefined : findSession(workspace, body.session).id;
    const begun = await beginRecovery(workspace, [params.commit], { session, commit: body.commit, ...choiceOf(workspace, body) });
    return recover(asked, 'recoverCommit', begun, begun.recovery.aim);
  },
  continueRecovery: async (asked) => {
    const rest = await continueRecovery(asked.workspace, choiceOf(asked.workspace, asked.body));
    return rest.recovery === null ? close(asked, rest, rest.goesOnWith) : recover(asked, 'continueRecovery', rest, rest.recovery.aim);
  },
  abortRecovery: (asked) => {
    const { workspace, body } = asked;
    if (body.dryRun) return perform(asked, 'abortRecovery', aimAbort(workspace));
    return asJob(asked, 'abortRecovery', async (job) => {
      // What was shown is the newest part; those before it begin where that ended.
      const { expectedTree } = body;
      const done: (string | null)[] = [];
      const undone = await abortRecovery(workspace, async (aim) => {
        const part = done.length === 0 ? carryOut(workspace, aim, { expectedTree }, job) : carryOutAnyway(workspace, aim, {}, job);
        const { rollbackId } = await part.catch((error) => {
          throw done.length > 0 ? abortedInPart(error, done) : error;
        });
        done.push(rollbackId);
        return rollbackId;
      });
      return { undone };
    });
  },
};

/** What was taken back is told, whatever kept the rest from it. */
const abortedInPart = (error: unknown, undone: readonly (string | null)[]): unknown =>
  error instanceof RetakeError
    ? new RetakeError(error.code, `A part of the recovery is taken back, the rest is not: ${error.message}`, {
        hint: 'It is still under way: go on with taking it back, or with the recovery.',
        details: { ...error.details, undone },
        cause: error,
      })
    : error;

const recover = async (asked: Performing, kind: RouteName, recovering: Recovering, aim: Aim) => {
  const { workspace, body } = asked;
  return asJob(asked, kind, async (job) => {
    if (body.dryRun) {
      const plan = await propose(workspace, aim, job);
      return { ...plan, ...recoveryCommitsJson(await commitsToBe(workspace, recovering, plan.conflicts)) };
    }
    const done = await carryOut(workspace, aim, body, job);
    const { rollbackId: id, left } = done;
    const made = await finishRecovery(workspace, recovering, id === null ? null : { id, left });
    return { ...done, ...recoveryCommittedJson(made) };
  });
};

/** All that was left was to be finished by hand, and is, or to be committed. */
const close = async (asked: Performing, recovering: Recovering, recovery: string) => {
  const { workspace, body } = asked;
  const inGit = body.dryRun
    ? recoveryCommitsJson(await commitsToBe(workspace, recovering))
    : await asJob(asked, 'continueRecovery', async () => recoveryCommittedJson(await finishRecovery(workspace, recovering, null)));
  return { recovery, left: null, ...inGit };
};
