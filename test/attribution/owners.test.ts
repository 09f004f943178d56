import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logOf, played, stepsOf, write } from '../recover/played.ts';
import { put } from '../support/scene.ts';

describe('whose doing a record is', () => {
  test('[CKP-1] [RST-10] the person’s, the agent’s, both’s, and a rollback’s', async () => {
    const it = await played({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { at, session } = it;
    await session.prompt('first');
    await write(it, 'a.txt', 'agent\n');
    put(at.workspace, 'b.txt', 'mine\n');
    await write(it, 'a.txt', 'agent again\n');
    await session.step('Edit', { file_path: join(at.workspace, 'a.txt') }, () => {
      put(at.workspace, 'a.txt', 'edited\n');
      put(at.workspace, 'b.txt', 'mine meanwhile\n');
    });
    await session.step('Read', { file_path: join(at.workspace, 'a.txt') }, () => put(at.workspace, 'b.txt', 'mine while it reads\n'));
    at.retake.json(at.workspace, 'rewind', 't1', '--no-keep-mine', '--yes');
    const told = logOf(at)
      .reverse()
      .map(({ kind, by, owners }) => [kind, by, owners]);
    expect(told).toEqual([
      ['session-start', null, undefined],
      ['prompt', null, undefined],
      ['after-step', 'agent', undefined],
      ['before-step', 'person', []],
      ['after-step', 'agent', undefined],
      ['after-step', 'both', undefined],
      ['after-step', 'person', []],
      ['safety', null, undefined],
      ['rollback', 'retake', undefined],
    ]);
    // What was worked out is remembered, and is the same.
    expect(logOf(at).find(({ by }) => by === 'both')).toBeDefined();
    const [, , third] = stepsOf(at);
    const shown = at.retake.json(at.workspace, 'show', third.id);
    expect(shown).toMatchObject({ by: 'both', files: { changed: 2 } });
    expect(shown.changes).toMatchObject([
      { path: 'a.txt', status: 'modified', by: 'agent', owners: [third.id] },
      { path: 'b.txt', status: 'modified', by: 'person', owners: [] },
    ]);
    expect(at.retake.run(at.workspace, 'show', third.id).stdout).toMatch(/ a\.txt {2}Edit .*\n.* b\.txt {2}yours\n/);
    const { stdout } = at.retake.run(at.workspace, 'log');
    expect(stdout).toMatch(/before-step .* {2}yours {2}/);
    expect(stdout).toMatch(/after-step .* {2}partly yours {2}/);
    expect(at.retake.json(at.workspace, 'show', logOf(at)[0].id).changes).toMatchObject([{ by: 'retake' }, { by: 'retake' }]);
  });

  test('[RST-10] a path that only begins like the one the agent named is the person’s', async () => {
    const it = await played({ 'a.txt': 'a\n', 'a.txt.orig': 'a\n' });
    const { at, session } = it;
    await session.prompt('first');
    await session.step('Edit', { file_path: join(at.workspace, 'a.txt') }, () => {
      put(at.workspace, 'a.txt', 'edited\n');
      put(at.workspace, 'a.txt.orig', 'mine\n');
    });
    const [step] = stepsOf(at);
    expect(step).toMatchObject({ by: 'both' });
    expect(at.retake.json(at.workspace, 'show', step.id).changes).toMatchObject([
      { path: 'a.txt', by: 'agent', owners: [step.id] },
      { path: 'a.txt.orig', by: 'person', owners: [] },
    ]);
  });

  test('[RST-8] steps that overlapped are told together, by those that can have done it', async () => {
    const it = await played({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const { at, session } = it;
    await session.prompt('both');
    const endOfA = await session.begin('Edit', { file_path: join(at.workspace, 'a.txt') });
    const sub = { agent_id: 'a17', agent_type: 'Explore' };
    const endOfB = await session.begin('Edit', { file_path: join(at.workspace, 'b.txt') }, sub);
    put(at.workspace, 'a.txt', 'agent a\n');
    put(at.workspace, 'b.txt', 'agent b\n');
    await endOfA();
    const endOfShell = await session.begin('Bash', { command: 'make' });
    put(at.workspace, 'c.txt', 'made\n');
    await endOfB();
    await endOfShell();
    const [a, b, shell] = stepsOf(at);
    expect(a).toMatchObject({
      by: 'agent',
      owners: [
        { id: a.id, agentId: null, turn: 1 },
        { id: b.id, agentId: 'a17' },
      ],
    });
    expect(b).toMatchObject({ by: 'agent', owners: [{ id: b.id }, { id: shell.id, description: expect.stringContaining('make') }] });
    expect(shell).toMatchObject({ by: null });
    expect(at.retake.json(at.workspace, 'show', b.id).changes).toMatchObject([{ path: 'c.txt', by: 'agent', owners: [shell.id] }]);
    expect(at.retake.run(at.workspace, 'log', '--limit', '2').stdout).toMatch(/after-step .* with Bash: make/);
  });
});
