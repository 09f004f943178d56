import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/api/index.ts';
import type { Done } from '../../src/web/client/types.ts';
import { forkPointPlan, mergePlan, switchPlan } from '../../src/web/forks/fork-plans.ts';
import { serve } from '../api/served.ts';
import { saidIn } from '../conversation/played-session.ts';
import { branchNamed, forked, forkScene, text } from '../forks/forked.ts';
import { observeWorkspace } from '../support/oracle.ts';
import type { Scene } from '../support/scene.ts';

const ABORT = { onConflict: 'abort', resolve: [] } as const;
const { signal } = new AbortController();

const files = (at: Scene) => ['shared.txt', 'left.txt', 'right.txt'].map((path) => text(at, path));
const START = ['one\ntwo\nthree\n', undefined, undefined];
const LEFT = ['one\nleft\nthree\n', 'left\n', undefined];
const RIGHT = ['one\nright\nthree\n', undefined, 'right\n'];

/** A forked conversation, and the server that the page would ask. */
const story = async () => {
  const at = forkScene();
  const { session } = await forked(at);
  const { ask } = serve(at);
  const { tree, forks } = await ask('getForkTree', { params: { session: session.id } });
  const [fork] = forks;
  if (fork === undefined) throw new Error('there is no fork');
  const { workspaces } = await ask('listWorkspaces');
  const where = { ask, workspace: workspaces[0]?.id ?? '' };
  return { at, where, session, fork, left: branchNamed(tree, 'left'), right: branchNamed(tree, 'right') };
};

interface Request<P> {
  readonly preview: (choices: typeof ABORT, signal: AbortSignal) => Promise<P>;
  readonly apply: (carrying: typeof ABORT & { expectedTree: string; job: string }) => Promise<Done>;
}

/** As the dialog does: shown first, then carried out as shown. */
const apply = async <P extends { expectedTree: string }>(at: Scene, { preview, apply: run }: Request<P>): Promise<Done> => {
  const before = observeWorkspace(at.workspace);
  const plan = await preview(ABORT, signal);
  expect(observeWorkspace(at.workspace)).toEqual(before);
  return run({ ...ABORT, expectedTree: plan.expectedTree, job: 'job-1' });
};

describe('what the fork tree has carried out', () => {
  test('[FRK-6] switching: the code and the conversation of the branch', async () => {
    const { at, where, left } = await story();
    const request = switchPlan(where, left);
    expect([request.title, request.said()]).toEqual(['Switch to “left”', 'You are on “left” now']);
    const { sessionId } = await apply(at, request);
    expect(saidIn(at, sessionId ?? '')).toContain('did: left');
    expect(files(at)).toEqual(LEFT);
    await expect(switchPlan(where, left).preview(ABORT, signal)).rejects.toMatchObject({ code: 'same-branch' } satisfies Partial<ApiError>);
  });

  test('[FRK-6] back to the fork point, whether or not somebody has recorded it; with the conversation where that is chosen', async () => {
    const { at, where, session, fork } = await story();
    expect(fork.id).toBe(null);
    await apply(at, forkPointPlan(where, { sessionId: session.id, fork, scope: 'code' }));
    expect(files(at)).toEqual(START);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(files(at)).toEqual(RIGHT);
    const [recorded] = at.retake.json(at.workspace, 'forks').forks;
    const done = await apply(at, forkPointPlan(where, { sessionId: session.id, fork: recorded, scope: 'both' }));
    expect([done.scope, files(at)]).toEqual(['both', START]);
    expect(saidIn(at, done.sessionId ?? '').filter((said) => !said.startsWith('tool'))).toEqual(['begin', 'did: begin']);
  });

  test('[FRK-6] [RST-9] merging into the present branch: nothing without a choice for what both changed', async () => {
    const { at, where, left, right } = await story();
    const { preview, apply: run, title } = mergePlan(where, right, left);
    expect(title).toBe('Merge “left” into “right”');
    const plan = await preview(ABORT, signal);
    expect(plan.conflicts).toMatchObject([{ path: 'shared.txt', choice: null }]);
    const carrying = { expectedTree: plan.expectedTree, job: 'job-1' };
    await expect(run({ ...ABORT, ...carrying })).rejects.toMatchObject({ status: 409, code: 'conflicts' });
    expect(files(at)).toEqual(RIGHT);
    const chosen = { onConflict: 'abort', resolve: [{ path: 'shared.txt', choice: 'theirs' }] } as const;
    const { expectedTree } = await preview(chosen, signal);
    await run({ ...chosen, expectedTree, job: 'job-2' });
    expect(files(at)).toEqual(['one\nleft\nthree\n', 'left\n', 'right\n']);
  });

  test('[FRK-6] a merge of two others is refused: one of them must be gone to first', async () => {
    const { at, where, left } = await story();
    const begin = { branch: at.retake.json(at.workspace, 'forks').tree[0].branch, title: 'begin' };
    await expect(mergePlan(where, begin, left).preview(ABORT, signal)).rejects.toMatchObject({ status: 409, code: 'other-branch' });
    expect(files(at)).toEqual(RIGHT);
  });
});
