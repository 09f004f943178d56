import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { committed, edit, git, headlines, keep, keepScene, messages, read, sound, status, write } from './kept.ts';

describe('what is committed', () => {
  test('[GIT-3] one commit of all turns, with the prompts and where they come from', async () => {
    const { at, session } = await keepScene();
    await session.prompt('Add a greeting');
    await edit(at, session, 'hello.txt', 'hello\n');
    await session.answer('done');
    await session.prompt('Make it louder\nand say why');
    await edit(at, session, 'hello.txt', 'HELLO\n');
    await session.step('Bash', { command: 'echo' }, () => write(at, 'a.txt', 'one\ntwo\nthree\nfour\n'));
    await session.answer('done');
    const plan = at.retake.json(at.workspace, 'keep', '--dry-run');
    expect(plan.commits).toMatchObject([{ headline: 'Add a greeting', turns: [1, 2], insertions: 2, deletions: 0 }]);
    expect(headlines(at)).toEqual(['begin']);
    const result = keep(at);
    expect(headlines(at)).toEqual(['begin', 'Add a greeting']);
    const [, message = ''] = messages(at);
    expect(message).toContain('\n\nMake it louder\nand say why\n\n');
    expect(git(at, 'log', '-1', '--format=%(trailers:only)').trim().split('\n')).toEqual([
      `Session: ${session.id}`,
      'Agent: Claude Code',
      'Tool: Write',
      'Tool: Bash',
      expect.stringMatching(/^Tool-Use-Id: toolu_.*_1$/),
      expect.stringMatching(/^Tool-Use-Id: toolu_.*_2$/),
      expect.stringMatching(/^Tool-Use-Id: toolu_.*_3$/),
      expect.stringMatching(/^Checkpoint: [0-9a-f]{40}$/),
    ]);
    expect(result.commits[0].id).toBe(git(at, 'rev-parse', 'HEAD').trim());
    expect(status(at)).toEqual([]);
    expect(sound(at)).toBe('');
    const again = at.retake.run(at.workspace, 'keep', '--yes', '--json');
    expect([again.code, again.json.error.code]).toEqual([1, 'nothing-to-keep']);
  });

  test('[GIT-3] a commit for each turn', async () => {
    const { at, session } = await keepScene();
    await session.prompt('first');
    await edit(at, session, 'a.txt', 'ONE\ntwo\nthree\n');
    await session.answer('done');
    await session.prompt('only talk');
    await session.answer('done');
    await session.prompt('second');
    await edit(at, session, 'a.txt', 'ONE\ntwo\nTHREE\n');
    await edit(at, session, 'b.txt', 'b\n');
    await session.answer('done');
    keep(at, '--each');
    expect(headlines(at)).toEqual(['begin', 'first', 'second']);
    expect(committed(at, 'a.txt', 'HEAD~1')).toBe('ONE\ntwo\nthree\n');
    expect(committed(at, 'a.txt')).toBe('ONE\ntwo\nTHREE\n');
    expect(status(at)).toEqual([]);
    await session.prompt('third');
    await edit(at, session, 'b.txt', 'bb\n');
    keep(at, '--each');
    expect(headlines(at)).toEqual(['begin', 'first', 'second', 'third']);
  });

  test("[GIT-3] the person's own edits stay uncommitted, in other files and in the same, staged or not", async () => {
    const lines = (change: Record<number, string>) => Array.from({ length: 9 }, (_, at) => `${change[at] ?? at}\n`).join('');
    const { at, session } = await keepScene({ 'a.txt': lines({}), 'own.txt': 'own\n', 'staged.txt': 'staged\n', 'both.txt': lines({}) });
    write(at, 'own.txt', 'own, changed before\n');
    write(at, 'staged.txt', 'staged, changed before\n');
    write(at, 'both.txt', lines({ 0: 'mine, staged' }));
    git(at, 'add', 'staged.txt', 'both.txt');
    write(at, 'both.txt', lines({ 0: 'mine, staged', 4: 'mine, not staged' }));
    write(at, 'intent.txt', 'intent\n');
    git(at, 'add', '-N', 'intent.txt');
    await session.prompt('work');
    await edit(at, session, 'a.txt', lines({ 0: 'agent' }));
    write(at, 'a.txt', lines({ 0: 'agent', 8: 'mine' }));
    await edit(at, session, 'new.txt', 'new\n');
    await edit(at, session, 'both.txt', lines({ 0: 'mine, staged', 4: 'mine, not staged', 8: 'agent' }));
    const before = git(at, 'diff', '--cached', 'staged.txt');
    const result = keep(at);
    expect(committed(at, 'a.txt')).toBe(lines({ 0: 'agent' }));
    expect(committed(at, 'both.txt')).toBe(lines({ 8: 'agent' }));
    expect(read(at, 'a.txt')).toBe(lines({ 0: 'agent', 8: 'mine' }));
    expect(status(at)).toEqual([' M a.txt', 'MM both.txt', ' A intent.txt', ' M own.txt', 'M  staged.txt']);
    expect(git(at, 'diff', '--cached', 'staged.txt')).toBe(before);
    // What was staged of it is still staged, byte for byte.
    expect(git(at, 'show', ':both.txt')).toBe(lines({ 0: 'mine, staged' }));
    expect(result.staged).toEqual([{ path: 'both.txt' }]);
    expect(sound(at)).toBe('');
  });

  test('[GIT-3] --all takes the edits in between along; without it, what builds on them is refused', async () => {
    const { at, session } = await keepScene();
    await session.prompt('work');
    await edit(at, session, 'a.txt', 'agent\ntwo\nthree\n');
    write(at, 'a.txt', 'agent and I\ntwo\nthree\n');
    write(at, 'mine.txt', 'mine\n');
    await edit(at, session, 'a.txt', 'agent and I and agent\ntwo\nthree\n');
    const refused = at.retake.run(at.workspace, 'keep', '--yes', '--json');
    expect([refused.code, refused.json.error.code]).toEqual([1, 'conflicts']);
    expect(refused.json.error.details.conflicts).toEqual([{ path: 'a.txt', reason: 'both-changed' }]);
    expect(refused.json.error.hint).toContain('--all');
    expect(headlines(at)).toEqual(['begin']);
    keep(at, '--all');
    expect(committed(at, 'a.txt')).toBe('agent and I and agent\ntwo\nthree\n');
    expect(committed(at, 'mine.txt')).toBe('mine\n');
    expect(status(at)).toEqual([]);
  });

  test('[GIT-3] --all --each cuts at the prompts', async () => {
    const { at, session } = await keepScene();
    await session.prompt('first');
    await edit(at, session, 'b.txt', 'b\n');
    await session.answer('done');
    write(at, 'mine.txt', 'mine\n');
    await session.prompt('second');
    await edit(at, session, 'c.txt', 'c\n');
    write(at, 'late.txt', 'late\n');
    keep(at, '--all', '--each');
    expect(git(at, 'show', '--format=', '--name-only', 'HEAD~1').trim().split('\n')).toEqual(['b.txt', 'mine.txt']);
    expect(git(at, 'show', '--format=', '--name-only', 'HEAD').trim().split('\n')).toEqual(['c.txt', 'late.txt']);
    expect(status(at)).toEqual([]);
  });

  test('[GIT-3] deleted, renamed and retyped files; modes; names that are not text', async () => {
    const { at, session } = await keepScene({
      'gone.txt': 'gone\n',
      'old.txt': 'moved\n',
      dir: 'a file\n',
      'tree/leaf': 'leaf\n',
      'run.sh': 'x\n',
    });
    await session.prompt('work');
    await session.step('Bash', { command: 'sh' }, () => {
      const script = `rm gone.txt; mv old.txt new.txt; rm dir; mkdir dir; echo in > dir/in; rm -r tree; echo t > tree; chmod +x run.sh
        ln -s run.sh link; printf x > "$(printf 'odd\\377name')"`;
      process.getBuiltinModule('node:child_process').execFileSync('sh', ['-c', script], { cwd: at.workspace });
    });
    keep(at);
    expect(git(at, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD').trim().split('\n')).toEqual([
      '100644 dir/in',
      '120000 link',
      '100644 new.txt',
      '100644 "odd\\377name"',
      '100755 run.sh',
      '100644 tree',
    ]);
    expect(status(at)).toEqual([]);
    expect(sound(at)).toBe('');
  });

  test('[GIT-3] what git ignores is left out and named, unless it is tracked', async () => {
    const { at, session } = await keepScene(
      { '.gitignore': '.env\nbuild/\n*.log\n' },
      {
        prepare: (scene) => {
          write(scene, 'kept.log', 'tracked\n');
          git(scene, 'add', '-f', 'kept.log');
          git(scene, 'commit', '-qm', 'tracked');
        },
      },
    );
    await session.prompt('work');
    await edit(at, session, '.env', 'SECRET=1\n');
    await edit(at, session, 'build/made.txt', 'made\n');
    await edit(at, session, 'build/made.txt', 'made again\n');
    await edit(at, session, 'kept.log', 'tracked and changed\n');
    const result = keep(at);
    expect(result.leftOut).toEqual([
      { path: '.env', reason: 'ignored' },
      { path: 'build/made.txt', reason: 'ignored' },
    ]);
    expect(git(at, 'show', '--format=', '--name-only').trim()).toBe('kept.log');
  });

  test('[GIT-3] what was rolled back is not kept', async () => {
    const { at, session } = await keepScene();
    await session.prompt('good');
    await edit(at, session, 'good.txt', 'good\n');
    await session.answer('done');
    await session.prompt('bad');
    await edit(at, session, 'bad.txt', 'bad\n');
    await session.answer('done');
    at.retake.json(at.workspace, 'rewind', 't2', '--yes');
    keep(at);
    expect(git(at, 'show', '--format=', '--name-only').trim()).toBe('good.txt');
  });

  test('[GIT-3] what the agent committed itself is there already', async () => {
    const { at, session } = await keepScene();
    await session.prompt('work');
    await edit(at, session, 'b.txt', 'b\n');
    await session.step('Bash', { command: 'git commit' }, () => {
      git(at, 'add', '-A');
      git(at, 'commit', '-qm', "the agent's own");
    });
    const refused = at.retake.run(at.workspace, 'keep', '--yes', '--json');
    expect([refused.code, refused.json.error.code]).toEqual([1, 'nothing-to-keep']);
    expect(headlines(at)).toEqual(['begin', "the agent's own"]);
  });

  test('[GIT-3] a prompt in which lines look like trailers, comments and patches', async () => {
    const { at, session } = await keepScene();
    const prompt = `# ${'long '.repeat(30)}\n---\nSession: none\n\nReviewed-by: nobody`;
    await session.prompt(prompt);
    await edit(at, session, 'b.txt', 'b\n');
    keep(at);
    const [, message = ''] = messages(at);
    const [headline = '', , ...body] = message.split('\n');
    expect([...headline]).toHaveLength(72);
    expect(headline).toMatch(/^# long .*…$/);
    expect(body.join('\n')).toContain(`${'long '.repeat(30).trim()}\n ---\nSession: none\n\nReviewed-by: nobody\n\nSession: ${session.id}`);
    expect(git(at, 'log', '-1', '--format=%(trailers:key=Session,valueonly)').trim()).toBe(session.id);
    expect(git(at, 'log', '-1', '--format=%(trailers:key=Reviewed-by)').trim()).toBe('');
  });

  test('[GIT-3] refused, and nothing changed, when confirmation is missing', async () => {
    const { at, session } = await keepScene();
    await session.prompt('work');
    await edit(at, session, join('deep', 'b.txt'), 'b\n');
    const asked = at.retake.run(at.workspace, 'keep', '--json');
    expect([asked.code, asked.json.error.code]).toEqual([1, 'needs-confirmation']);
    expect(headlines(at)).toEqual(['begin']);
  });
});
