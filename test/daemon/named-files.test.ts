import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitIn } from '../support/git.ts';
import { put, repositoryScene, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Conversation, contentAt, operationsOf } from './claude-code.ts';
import { daemonScene, PATIENT, tell } from './support.ts';

/** With the daemon's journal, and without a daemon. */
const TIERS: readonly [string, () => Scene][] = [
  ['with the daemon', () => daemonScene(PATIENT)],
  ['without the daemon', () => repositoryScene({ ...PATIENT, RETAKE_DAEMON_ENABLED: 'false' })],
];

describe.each(TIERS)('files that an edit tool names, %s', (_, open) => {
  test('[CAP-2] an ignored file is captured before the tool runs, from then on, and comes back', async () => {
    const at = open();
    const { workspace, retake } = at;
    gitIn(workspace, 'init', '-q');
    put(workspace, '.gitignore', 'build/\n*.secret\n');
    put(workspace, 'build/generated.js', 'as it was');
    put(workspace, 'build/other.js', 'never named');
    put(workspace, 'main.ts', 'main');
    const talk = new Conversation('s', workspace);
    const input = { file_path: join(workspace, 'build/generated.js') };
    await tell(at, talk.start());
    await tell(at, talk.prompt('p1', 'change it'));
    await tell(at, talk.before('step-1', 'Edit', input));
    writeFileSync(input.file_path, 'changed');
    await tell(at, talk.after('step-1', 'Edit', input));
    // By the shell, and nobody names it.
    await tell(at, talk.before('step-2', 'Bash', { command: 'rm build/generated.js' }));
    rmSync(input.file_path);
    await tell(at, talk.after('step-2', 'Bash', { command: 'rm build/generated.js' }));
    const [, , before, after, gone] = operationsOf(at);
    expect(before?.kind).toBe('before-step');
    expect(contentAt(at, before?.id ?? '', 'build/generated.js')).toBe('as it was');
    expect(contentAt(at, after?.id ?? '', 'build/generated.js')).toBe('changed');
    expect(gone?.event?.place.toolUseId).toBe('step-2');
    expect(() => contentAt(at, gone?.id ?? '', 'build/generated.js')).toThrow();
    expect(() => contentAt(at, after?.id ?? '', 'build/other.js')).toThrow();
    retake.json(workspace, 'rewind', before?.id ?? '', '--yes');
    expect(readFileSync(input.file_path, 'utf8')).toBe('as it was');
    retake.json(workspace, 'undo', '--yes');
    expect(existsSync(input.file_path)).toBe(false);
    expect(readFileSync(join(workspace, 'build/other.js'), 'utf8')).toBe('never named');
  });

  test('[CAP-2] an ignored file that the tool makes is captured after it; rewinding leaves alone what the target could not know', async () => {
    const at = open();
    const { workspace, retake } = at;
    gitIn(workspace, 'init', '-q');
    put(workspace, '.gitignore', '*.secret\n');
    const talk = new Conversation('s', workspace);
    const input = { file_path: 'new.secret', content: 'x' };
    await tell(at, talk.start());
    await tell(at, talk.before('step-1', 'Write', input));
    put(workspace, 'new.secret', 'made');
    await tell(at, talk.after('step-1', 'Write', input));
    const [start, after] = operationsOf(at);
    expect(after?.kind).toBe('after-step');
    expect(contentAt(at, after?.id ?? '', 'new.secret')).toBe('made');
    retake.json(workspace, 'rewind', start?.id ?? '', '--yes');
    expect(readFileSync(join(workspace, 'new.secret'), 'utf8')).toBe('made');
  });

  test('[CAP-2] a file outside the workspace is kept as it was, and no rollback touches it', async () => {
    const at = open();
    const { workspace, retake } = at;
    put(workspace, 'main.ts', 'main');
    const outside = put(temporaryDirectory(), 'notes (1).md', 'before', 0o600);
    const talk = new Conversation('s', workspace);
    await tell(at, talk.start());
    await tell(at, talk.before('step-1', 'Edit', { file_path: outside }));
    writeFileSync(outside, 'after');
    await tell(at, talk.after('step-1', 'Edit', { file_path: outside }));
    await tell(at, talk.after('step-2', 'Edit', { file_path: join(outside, 'not-there') }));
    const [start, before, after, ...more] = operationsOf(at);
    expect(more).toEqual([]);
    expect([before, after].map((one) => one?.outside?.map(({ path, content }) => [path, content?.permissions]))).toEqual([
      [[outside, 0o600]],
      [[outside, 0o600]],
    ]);
    const kept = (id: string | undefined) =>
      gitIn(workspace, '--git-dir', retake.store(workspace), 'show', `${id}:outside/${encodeURIComponent(outside)}`);
    expect([kept(before?.id), kept(after?.id)]).toEqual(['before', 'after']);
    retake.json(workspace, 'rewind', start?.id ?? '', '--yes');
    expect(readFileSync(outside, 'utf8')).toBe('after');
  });
});
