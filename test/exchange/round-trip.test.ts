import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectOf, saidIn, sessionFiles } from '../conversation/played-session.ts';
import { hermeticEnvironment } from '../support/git.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { fsck } from '../support/private-store.ts';
import { dataOf, put, type Scene, storeOf } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { exported, importedElsewhere, storyOf } from './other-machine.ts';
import { playRichSession } from './rich-session.ts';

const LONG = 1_800_000;

/** The states that the operations of a session hold, oldest first, as plain git names them. */
const statesOf = (at: Scene, session: string): string[] => {
  const ids = at.retake
    .json(at.workspace, 'log', '--session', session)
    .operations.map(({ id }: { id: string }) => id)
    .reverse();
  const input = ids.flatMap((id: string) => [`${id}:files\n`, `${id}:meta\n`]).join('');
  const args = ['--git-dir', storeOf(at), 'cat-file', '--batch-check=%(objectname)'];
  const said = execFileSync('git', args, { input, env: hermeticEnvironment('/nonexistent') }).toString();
  return said.replaceAll(/[0-9a-f]{40}:(\w+) missing/g, '$1 missing').split('\n');
};

test('[STO-4] [CKP-4] on another machine an exported session has the same timeline, states, notes and messages', {
  timeout: LONG,
}, async () => {
  const { at, session } = await playRichSession({ RETAKE_EXPORT_EXCLUDE: '[]' });
  const { workspace, retake } = at;
  const file = exported(at, session.id);
  const elsewhere = importedElsewhere(file);
  const there = (...args: string[]) => elsewhere.retake.json(elsewhere.workspace, ...args);
  expect(storyOf(elsewhere, session.id)).toEqual(storyOf(at, session.id));
  expect(statesOf(elsewhere, session.id)).toEqual(statesOf(at, session.id));
  expect(fsck(storeOf(elsewhere))).toEqual({ code: 0, alarms: [] });

  expect(there('search', 'works', 'so').operations).toMatchObject([{ name: 'good', note: 'works so far', pinned: true }]);
  expect(there('diff', 't1', 'good', '--session', session.id)).toEqual(
    retake.json(workspace, 'diff', 't1', 'good', '--session', session.id),
  );
  const messages = (one: Scene) => one.retake.json(one.workspace, 'show', 'good', '--messages').messages;
  expect(messages(at).length).toBeGreaterThan(4);
  expect(messages(elsewhere)).toEqual(messages(at));
  const work = (one: Scene) => {
    const { status, work, turns, steps, messages, files } = one.retake.json(one.workspace, 'sessions', session.id);
    return { status, work, turns, steps, messages, files };
  };
  expect(work(elsewhere)).toEqual(work(at));
  expect(there('sessions').sessions).toMatchObject([{ id: session.id, isImported: true, isCurrent: false }]);
  const prompts = there('forks').tree.flatMap(({ title }: { title: string }) => title);
  expect(prompts).toContain('Make a page');

  // Nothing of it is this workspace's own past.
  expect(there('status')).toMatchObject({ protected: true, checkpoints: 0, rollbacks: 0, newest: null });
  expect(there('rollbacks').rollbacks).toEqual([]);
  for (const args of [['diff', '@-1'], ['undo'], ['redo'], ['rewind', 't1'], ['discard'], ['discard', '--session', session.id]])
    expect(elsewhere.retake.run(elsewhere.workspace, ...args).code, args.join(' ')).toBe(1);
  const [rollback] = there('log').operations.filter(({ kind }: { kind: string }) => kind === 'rollback');
  expect(elsewhere.retake.run(elsewhere.workspace, 'undo', rollback.id, '--json').json.error.message).toContain('imported');

  // Once more is no more.
  const before = there('log').operations;
  expect(there('import', file)).toMatchObject({ imported: false, session: session.id });
  expect(there('log').operations).toEqual(before);
  expect(elsewhere.retake.run(elsewhere.workspace, 'import', exported(at, session.id, '--no-conversation'), '--json').json.error.code).toBe(
    'session-exists',
  );

  // From there to a third one, under another name.
  const third = importedElsewhere(exported(elsewhere, session.id), '--as', 'a copy');
  const renamed = storyOf(third, 'a copy').map((operation) => ({ ...operation, session: session.id }));
  expect(renamed).toEqual(storyOf(at, session.id));
});

test('[STO-4] [RST-2] [RST-7] [CNV-1] an imported checkpoint is gone to like any other, with its conversation, and that is undone exactly', {
  timeout: LONG,
}, async () => {
  const { at, session } = await playRichSession({ RETAKE_EXPORT_EXCLUDE: '[]' });
  const elsewhere = importedElsewhere(exported(at, session.id));
  const { workspace } = elsewhere;
  const there = (...args: string[]) => elsewhere.retake.json(workspace, ...args);
  expect(existsSync(join(elsewhere.retake.env.HOME ?? '', '.claude')), 'an import leaves the folders of agents alone').toBe(false);

  put(workspace, 'own.txt', 'here before\n', 0o640);
  const own = there('checkpoint', '--name', 'good');
  put(workspace, 'own.txt', 'not recorded yet\n');
  const before = observeWorkspace(workspace);
  // Its own name for a checkpoint is not taken by what was imported.
  expect(there('show', 'good').id).toBe(own.id);
  const good = there('log').operations.find(({ name, id }: { name: string; id: string }) => name === 'good' && id !== own.id);

  at.retake.json(at.workspace, 'rewind', 'good', '--yes');
  const wanted = observeWorkspace(at.workspace, { without: (path) => path.startsWith('ignored') });
  const plan = there('rewind', good.id, '--dry-run');
  expect(plan.operations).toContainEqual(expect.objectContaining({ type: 'delete', path: 'own.txt' }));
  expect(plan.goesBack).toMatchObject({ checkpoints: 0, turns: 0, steps: 0 });
  const { rollbackId } = there('rewind', good.id, '--yes');
  expect(observeWorkspace(workspace)).toEqual(wanted);
  there('undo', rollbackId, '--yes');
  expect(observeWorkspace(workspace)).toEqual(before);

  const [line] = readdirSync(join(dataOf(elsewhere), 'imported'));
  const subagents = join(dataOf(elsewhere), 'imported', line ?? '', 'session/subagents');
  expect(readdirSync(subagents)).toEqual(['agent-abc123.jsonl', 'agent-abc123.meta.json']);
  const { sessionId, resume } = there('rewind', 't2', '--session', session.id, '--scope', 'both', '--yes');
  expect(resume).toContain(workspace);
  expect(sessionFiles(elsewhere)).toEqual([`${sessionId}.jsonl`]);
  expect(saidIn(elsewhere, sessionId)).toEqual(expect.arrayContaining(['Make a page', 'made']));
  expect(saidIn(elsewhere, sessionId)).not.toContain('Break it');
  expect(projectOf(elsewhere)).toContain(elsewhere.retake.env.HOME);
  there('undo', '--yes');
  expect(observeWorkspace(workspace)).toEqual(before);

  const [step] = there('log', '--session', session.id).operations.filter(
    ({ kind, description }: { kind: string; description: string }) => kind === 'after-step' && description.startsWith('Write'),
  );
  expect(elsewhere.retake.run(workspace, 'rewind', step.id, '--keep-mine', '--json').json.error.code).toBe('imported');
  expect(elsewhere.retake.run(workspace, 'revert', step.id, '--json').json.error.code).not.toBe('unexpected');
});

test('[STO-4] the file is read by plain tar and git', { timeout: LONG }, async () => {
  const { at, session } = await playRichSession();
  const file = exported(at, session.id);
  const folder = temporaryDirectory();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, env: hermeticEnvironment('/nonexistent'), stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  run('tar', '-xf', file);
  expect(readFileSync(join(folder, 'conversation/session.jsonl'))).toEqual(readFileSync(session.path));
  const subagent = join(folder, 'conversation/session/subagents/agent-abc123');
  expect(readFileSync(`${subagent}.jsonl`, 'utf8'), 'up to the last whole line').toBe('{"type":"user"}\n');
  expect(readFileSync(`${subagent}.meta.json`, 'utf8')).toBe('{"agentType":"helper"}');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const lines = readFileSync(join(folder, 'conversation/messages.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(manifest.conversation.messages);
  run('git', 'clone', '-q', '--mirror', 'operations.bundle', 'operations.git');
  run('git', '--git-dir', 'operations.git', 'bundle', 'verify', '-q', 'operations.bundle');
  const refs = run('git', '--git-dir', 'operations.git', 'for-each-ref', '--format=%(objectname)', 'refs/retake/ops').trimEnd().split('\n');
  expect(refs).toHaveLength(manifest.operations);
  expect(run('git', '--git-dir', 'operations.git', 'fsck', '--full')).toBe('');
});

test('[STO-4] a file that is there is not replaced, and nothing is left of an export that fails', { timeout: LONG }, async () => {
  const { at, session } = await playRichSession();
  const { workspace, retake } = at;
  const folder = temporaryDirectory();
  const file = join(folder, 'taken.tar');
  put(folder, 'taken.tar', 'mine');
  const refusal = retake.run(workspace, 'export', session.id, '--output', file, '--json');
  expect(refusal.json.error.code).toBe('file-exists');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  retake.json(workspace, 'export', session.id.slice(0, 8), '--output', file, '--force');
  expect(readFileSync(file).length).toBeGreaterThan(1000);
  const nowhere = retake.run(workspace, 'export', session.id, '--output', join(folder, 'no/such/folder.tar'));
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no directory ${join(folder, 'no/such')};`) });
  expect(nowhere.stderr).not.toContain('permissions');
  expect(retake.run(workspace, 'export', 'nobody', '--json').json.error.code).toBe('unknown-id');
  expect([...observeWorkspace(folder).keys()]).toEqual(['taken.tar']);
});
