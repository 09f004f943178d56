import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/api/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { recordHere } from '../daemon/record-here.ts';
import { turn } from '../forks/forked.ts';
import { gitIn } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serve } from './served.ts';

/** Two commits with a checkpoint after the first, and a change that is in none. */
const story = (): { at: Scene; checkpoint: string } => {
  const at = repositoryScene();
  put(at.workspace, 'a.txt', 'one\n');
  commitAll(at.workspace, 'first');
  const { id } = at.retake.json(at.workspace, 'checkpoint');
  put(at.workspace, 'a.txt', 'two\n');
  commitAll(at.workspace, 'second');
  put(at.workspace, 'a.txt', 'three\n');
  return { at, checkpoint: id };
};

const MEANWHILE: readonly [string, (at: Scene) => unknown][] = [
  ['a commit that leaves the files as they are', (at) => commitAll(at.workspace, 'third')],
  ['another branch', (at) => gitIn(at.workspace, 'checkout', '-q', '-b', 'other')],
  ['something staged', (at) => gitIn(at.workspace, 'add', 'a.txt')],
];

for (const [what, happens] of MEANWHILE) {
  test(`[RST-1] [GIT-2] git moved after its plan was shown, by ${what}: refused, and git stays`, async () => {
    const { at, checkpoint } = story();
    const { ask } = serve(at);
    const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint }, query: { git: true } });
    happens(at);
    const before = [
      gitIn(at.workspace, 'log', '--all', '--oneline'),
      gitIn(at.workspace, 'status', '--short', '--branch'),
      observeWorkspace(at.workspace),
    ];
    const asked = ask('rollBack', { params: { session: 'local', checkpoint }, body: { git: true, expectedTree } });
    await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
    expect([
      gitIn(at.workspace, 'log', '--all', '--oneline'),
      gitIn(at.workspace, 'status', '--short', '--branch'),
      observeWorkspace(at.workspace),
    ]).toEqual(before);
  });
}

test('[RST-1] [GIT-2] the branch that git goes back to got a commit after the plan was shown, HEAD being elsewhere: refused, and it stays', async () => {
  const { at, checkpoint } = story();
  gitIn(at.workspace, 'checkout', '-q', '-b', 'other');
  const { ask } = serve(at);
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint }, query: { git: true } });
  const commit = gitIn(at.workspace, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'not shown').trim();
  gitIn(at.workspace, 'update-ref', 'refs/heads/main', commit);
  const asked = ask('rollBack', { params: { session: 'local', checkpoint }, body: { git: true, expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
  expect(gitIn(at.workspace, 'rev-parse', 'main').trim()).toBe(commit);
});

test('[RST-1] git was not in the plan that was shown: it is not moved by it', async () => {
  const { at, checkpoint } = story();
  const { ask } = serve(at);
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint } });
  const asked = ask('rollBack', { params: { session: 'local', checkpoint }, body: { git: true, expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
});

describe('[RST-1] a plan that was shown for a part', () => {
  const shown = async () => {
    const at = repositoryScene();
    const texts = (first: string): Record<string, string> => ({
      'a.txt': `${first}\n2\n3\n4\n5\n6\n7\n8\n9\n${first}\n`,
      'b.txt': first,
      'd/c.txt': first,
    });
    for (const [path, text] of Object.entries(texts('old'))) put(at.workspace, path, text);
    const { id: checkpoint } = at.retake.json(at.workspace, 'checkpoint');
    for (const [path, text] of Object.entries(texts('new'))) put(at.workspace, path, text);
    const { ask } = serve(at);
    const preview = async (path?: string[]) => ask('previewCheckpoint', { params: { checkpoint }, query: { path, hunks: true } });
    const hunksOf = ({ operations }: Awaited<ReturnType<typeof preview>>) =>
      operations.flatMap(({ path, hunks = [] }) =>
        path === 'a.txt' ? hunks.map(({ number: _, lines: __, ...hunk }) => ({ path, ...hunk })) : [],
      );
    const apply = (expectedTree: string, body: object) =>
      ask('rollBack', { params: { session: 'local', checkpoint }, body: { ...body, expectedTree } });
    return { at, preview, hunksOf, apply };
  };

  test('carries out no more than that', async () => {
    const { at, preview, hunksOf, apply } = await shown();
    const { expectedTree } = await preview(['a.txt']);
    const before = observeWorkspace(at.workspace);
    for (const body of [{}, { paths: ['a.txt', 'b.txt'] }, { paths: ['b.txt'] }, { paths: ['b.txt'], hunks: hunksOf(await preview()) }])
      await expect(apply(expectedTree, body)).rejects.toMatchObject({
        status: 409,
        code: 'workspace-moved',
        message: expect.stringContaining('not what the plan showed'),
      });
    expect(observeWorkspace(at.workspace)).toEqual(before);
  });

  test('is carried out itself, in whatever order it is named, and so is a part of it', async () => {
    const { at, preview, hunksOf, apply } = await shown();
    const [first] = hunksOf(await preview());
    await apply((await preview(['a.txt'])).expectedTree, { hunks: [first] });
    expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toMatch(/^old\n.*new\n$/s);
    await apply((await preview()).expectedTree, { paths: ['d'] });
    expect(await apply((await preview(['a.txt', 'b.txt'])).expectedTree, { paths: ['b.txt', 'a.txt'] })).toMatchObject({ restored: 2 });
  });
});

test('[RST-1] [CNV-1] a conversation that was shown to go back alone takes no code with it; of both it may go alone', async () => {
  const { at } = story();
  const { session } = await played(at);
  const { ask } = serve(at);
  const params = { session: session.id, checkpoint: 't1' };
  const alone = await ask('previewRollback', { params, query: { scope: 'conversation' } });
  const asked = ask('rollBack', { params, body: { scope: 'both', expectedTree: alone.expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
  const both = await ask('previewRollback', { params, query: { scope: 'both' } });
  const done = await ask('rollBack', { params, body: { scope: 'conversation', expectedTree: both.expectedTree } });
  expect(done).toMatchObject({ scope: 'conversation', operations: [] });
});

test('[RST-1] an address that means another checkpoint since: refused', async () => {
  const { at } = story();
  const record = (text: string): void => {
    put(at.workspace, 'a.txt', text);
    at.retake.json(at.workspace, 'checkpoint');
  };
  record('A\n');
  record('B\n');
  put(at.workspace, 'a.txt', 'C\n');
  const { ask } = serve(at);
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint: '@-2' } });
  at.retake.json(at.workspace, 'checkpoint');
  const asked = ask('rollBack', { params: { session: 'local', checkpoint: '@-2' }, body: { expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
});

test('[RST-1] what was not shown is shown, and not carried out', async () => {
  const { at } = story();
  const { session } = await played(at);
  const { ask } = serve(at);
  const before = observeWorkspace(at.workspace);
  const refusal = await ask('discardSession', { params: { session: session.id }, body: {} }).catch((error: unknown) => error as ApiError);
  expect(refusal).toMatchObject({ status: 409, code: 'needs-confirmation' });
  expect(observeWorkspace(at.workspace)).toEqual(before);
  const { plan } = (refusal as ApiError).details as { plan: { expectedTree: string; operations: object[] } };
  expect(plan.operations).toMatchObject([{ type: 'delete', path: 'agent.txt' }]);
  const done = await ask('discardSession', { params: { session: session.id }, body: { expectedTree: plan.expectedTree } });
  expect(done).toMatchObject({ deleted: 1 });
  const keep = ask('keepSession', { params: { session: session.id }, body: {} });
  await expect(keep).rejects.toMatchObject({ status: 409 });
});

test('[RST-1] the same files, and another record says now that more of them is the agent’s: refused', async () => {
  const { at } = story();
  const { session } = await played(at);
  const params = { session: session.id };
  await session.prompt('go on');
  put(at.workspace, 'a.txt', 'changed\n');
  const { ask } = serve(at);
  const shown = await ask('discardSession', { params, body: { dryRun: true } });
  // The end of a step whose beginning was never told.
  const call = { tool_use_id: 'late', tool_name: 'Bash', tool_input: { command: 'echo changed > a.txt' }, tool_response: {} };
  const told = { session_id: session.id, transcript_path: session.path, cwd: at.workspace, hook_event_name: 'PostToolUse', ...call };
  await recordHere(at, JSON.stringify(told));
  const again = await ask('discardSession', { params, body: { dryRun: true } });
  const paths = ({ operations }: { operations: readonly { path: string }[] }): string[] => operations.map(({ path }) => path).sort();
  expect([paths(shown), paths(again)]).toEqual([['agent.txt'], ['a.txt', 'agent.txt']]);
  const before = observeWorkspace(at.workspace);
  const asked = ask('discardSession', { params, body: { expectedTree: shown.expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
  expect(observeWorkspace(at.workspace)).toEqual(before);
  expect(await ask('discardSession', { params, body: { expectedTree: again.expectedTree } })).toMatchObject({ deleted: 1, restored: 1 });
});

test('[RST-1] [RST-6] a file outside changed since the plan that takes it back was shown: refused, and it stays', async () => {
  const { at } = story();
  const { session } = await played(at);
  const outside = put(temporaryDirectory(), 'edited', 'before\n');
  await session.prompt('go on');
  await session.step('Edit', { file_path: outside }, () => writeFileSync(outside, 'agent\n'));
  const { ask } = serve(at);
  const params = { session: session.id, checkpoint: 't2' };
  const choice = { scope: 'code', outside: true, keepMine: false } as const;
  const shown = await ask('previewRollback', { params, query: choice });
  expect(shown.outside.operations).toMatchObject([{ type: 'restore', path: outside }]);
  writeFileSync(outside, 'mine\n');
  const asked = ask('rollBack', { params, body: { ...choice, expectedTree: shown.expectedTree } });
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'workspace-moved' });
  expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  const { expectedTree } = await ask('previewRollback', { params, query: choice });
  await ask('rollBack', { params, body: { ...choice, expectedTree } });
  expect(readFileSync(outside, 'utf8')).toBe('before\n');
});

test('[RST-7] an undo was shown with what it takes back, unless something of it changed since', async () => {
  const { at, checkpoint } = story();
  const { ask } = serve(at);
  const params = { session: 'local', checkpoint };
  const { expectedTree } = await ask('previewCheckpoint', { params: { checkpoint } });
  const { rollbackId } = await ask('rollBack', { params, body: { expectedTree } });
  const rollback = rollbackId ?? '';
  put(at.workspace, 'a.txt', 'mine\n');
  const refused = ask('undoRollback', { params: { rollback }, body: {} });
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'needs-confirmation' });
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('mine\n');
  put(at.workspace, 'a.txt', 'one\n');
  await ask('undoRollback', { params: { rollback }, body: {} });
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('three\n');
});

/** A session of an agent that makes one file. */
const played = async (at: Scene): Promise<{ session: PlayedSession }> => {
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'begin', { 'agent.txt': 'agent\n' });
  return { session };
};
