import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkGitHealthDaily, Workspace } from '../../src/engine/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene, until } from '../daemon/support.ts';
import { gitIn } from '../support/git.ts';
import { dataOf, gitState, put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { addToLog, commitFile, DAY, dropCommits, dropEntries, lineText, logFile, resetScene, secondsAgo, startSession } from './support.ts';

interface Concern {
  readonly verdict: string;
  readonly reason: string;
  readonly command: string | null;
}

const health = ({ workspace, retake }: Scene, ...args: string[]) => {
  const found = retake.json(workspace, 'health', ...args);
  return args.includes('--fix') ? found : found.git;
};

const commands = ({ concerns }: { concerns: Concern[] }): (string | null)[] => concerns.map(({ command }) => command);

const set = ({ workspace }: Scene, settings: Readonly<Record<string, string>>): void => {
  for (const [key, value] of Object.entries(settings)) gitIn(workspace, 'config', key, value);
};

describe('[GIT-7] the verdict', () => {
  test("is a warning with git's own defaults, and the command that it names mends it", () => {
    const at = resetScene();
    const first = health(at);
    expect(first).toMatchObject({ verdict: 'warning', retention: { reachable: 90, unreachable: 30 } });
    expect(commands(first)).toEqual(['git config gc.reflogExpireUnreachable 180.days']);
    gitIn(at.workspace, ...(commands(first)[0] ?? '').split(' ').slice(1));
    expect(health(at)).toMatchObject({ verdict: 'good', concerns: [], retention: { reachable: 90, unreachable: 90 } });
  });

  test.each([
    ['good', { 'gc.reflogExpire': 'never', 'gc.reflogExpireUnreachable': 'never' }, { reachable: null, unreachable: null }],
    ['good', { 'gc.reflogExpire': '90.days', 'gc.reflogExpireUnreachable': '90.days' }, { reachable: 90, unreachable: 90 }],
    ['warning', { 'gc.reflogExpire': '89.days', 'gc.reflogExpireUnreachable': 'never' }, { reachable: 89, unreachable: 89 }],
    ['warning', { 'gc.reflogExpire': 'never', 'gc.reflogExpireUnreachable': '8.days' }, { reachable: null, unreachable: 8 }],
    ['critical', { 'gc.reflogExpire': 'never', 'gc.reflogExpireUnreachable': '1.week' }, { reachable: null, unreachable: 7 }],
    ['critical', { 'gc.reflogExpire': 'now', 'gc.reflogExpireUnreachable': '200.days' }, { reachable: 0, unreachable: 0 }],
  ])('is %s with %j', (verdict, settings, retention) => {
    const at = resetScene();
    set(at, settings);
    expect(health(at)).toMatchObject({ verdict, retention });
  });

  test('counts patterns that concern HEAD or a branch, and no others', () => {
    const at = resetScene();
    set(at, { 'gc.reflogExpire': '200.days', 'gc.reflogExpireUnreachable': '200.days', 'gc.refs/remotes/*.reflogExpire': '3.days' });
    expect(health(at).verdict).toBe('good');
    set(at, { 'gc.refs/heads/*.reflogExpire': '3.days' });
    const found = health(at);
    expect(found.verdict).toBe('critical');
    expect(commands(found)).toEqual(["git config 'gc.refs/heads/*.reflogExpire' 180.days"]);
    const mended = health(at, '--fix');
    expect(mended).toMatchObject({ changed: [], after: { verdict: 'critical' } });
    expect(mended.overriding).toEqual(['gc.refs/heads/*.reflogExpire = 3.days in file:.git/config']);
  });

  test('is a warning where git writes no reflogs, has none, or can not read its settings', () => {
    const at = resetScene();
    set(at, { 'gc.reflogExpireUnreachable': 'never', 'core.logAllRefUpdates': 'false' });
    expect(commands(health(at))).toEqual(['git config core.logAllRefUpdates true']);
    set(at, { 'core.logAllRefUpdates': 'always' });
    expect(health(at).verdict).toBe('good');
    dropEntries(at.workspace);
    expect(health(at)).toMatchObject({ verdict: 'warning', concerns: [{ reason: expect.stringContaining('no reflog') }] });
    set(at, { 'gc.reflogExpire': 'whenever' });
    expect(health(at).concerns).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('does not understand') }));
  });

  test('is a warning when entries vanish before their time, until they are back', async () => {
    const at = resetScene();
    set(at, { 'gc.reflogExpireUnreachable': '90.days' });
    addToLog(at.workspace, 'HEAD', lineText({ from: at.one, to: at.two, at: secondsAgo(100 * DAY), note: 'test: old' }));
    await startSession(at, 's');
    expect(health(at).verdict).toBe('good');
    gitIn(at.workspace, 'reflog', 'expire', '--expire=95.days', '--expire-unreachable=95.days', 'HEAD');
    expect(readFileSync(logFile(at.workspace, 'HEAD'), 'utf8')).not.toContain('test: old');
    expect(health(at).verdict).toBe('good');
    gitIn(at.workspace, 'reflog', 'delete', 'HEAD@{1}');
    const found = health(at);
    expect(found).toMatchObject({ verdict: 'warning', concerns: [{ reason: expect.stringMatching(/^1 entry vanished.*1 can be/) }] });
    expect(commands(found)).toEqual(['retake reflog --restore']);
    at.retake.json(at.workspace, 'reflog', '--restore', '--yes');
    expect(health(at).verdict).toBe('good');
    dropCommits(at.workspace);
    expect(health(at).concerns).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('vanished') }));
  });

  test('does not take a branch that was made anew for one that lost its entries', async () => {
    const at = resetScene();
    set(at, { 'gc.reflogExpireUnreachable': '90.days' });
    gitIn(at.workspace, 'branch', 'short');
    addToLog(at.workspace, 'refs/heads/short', lineText({ from: at.one, to: at.two, at: secondsAgo(DAY), note: 'test: first' }));
    await startSession(at, 's');
    gitIn(at.workspace, 'branch', '-D', 'short');
    expect(health(at).verdict).toBe('good');
    gitIn(at.workspace, 'branch', 'short');
    expect(health(at).verdict).toBe('good');
  });
});

describe('[GIT-7] git config is changed only when told to', () => {
  test('health --fix sets what is short, and nothing else', () => {
    const at = resetScene();
    set(at, { 'gc.reflogExpire': '200.days', 'gc.reflogExpireUnreachable': '7.days' });
    const before = gitState(join(at.workspace, '.git'));
    const config = readFileSync(join(at.workspace, '.git/config'), 'utf8');
    expect(health(at).verdict).toBe('critical');
    expect(gitState(join(at.workspace, '.git'))).toEqual(before);
    const mended = health(at, '--fix');
    expect(mended).toMatchObject({
      before: { verdict: 'critical' },
      after: { verdict: 'good' },
      changed: [{ key: 'gc.reflogExpireUnreachable', before: '7.days', after: '180.days' }],
      overriding: [],
    });
    expect(readFileSync(join(at.workspace, '.git/config'), 'utf8')).toBe(config.replace('7.days', '180.days'));
    expect(health(at, '--fix').changed).toEqual([]);
  });

  test('health --fix sets both where git goes by its defaults, and never shortens', () => {
    const at = resetScene();
    expect(health(at, '--fix').changed.map(({ key }: { key: string }) => key)).toEqual(['gc.reflogExpire', 'gc.reflogExpireUnreachable']);
    expect(health(at).retention).toEqual({ reachable: 180, unreachable: 180 });
    set(at, { 'gc.reflogExpire': 'never' });
    health(at, '--fix');
    expect(gitIn(at.workspace, 'config', 'gc.reflogExpire').trim()).toBe('never');
  });

  test('health --fix says what keeps it from counting, and leaves what is long', () => {
    const at = resetScene();
    set(at, { 'extensions.worktreeConfig': 'true', 'gc.reflogExpire': '300.days' });
    for (const key of ['gc.reflogExpire', 'gc.reflogExpireUnreachable']) gitIn(at.workspace, 'config', '--worktree', key, '5.days');
    const { changed, after, overriding } = health(at, '--fix');
    expect(after.verdict).toBe('critical');
    expect(changed.map(({ key }: { key: string }) => key)).toEqual(['gc.reflogExpireUnreachable']);
    expect(gitIn(at.workspace, 'config', '--local', 'gc.reflogExpire').trim()).toBe('300.days');
    expect(overriding.length).toBe(2);
    expect(overriding[0]).toMatch(/^gc.reflogExpire = 5.days in .*config.worktree$/);
    expect(at.retake.run(at.workspace, 'health', '--fix').stdout).toContain('Still counts');
  });

  test('in a linked worktree it is the shared configuration', () => {
    const at = resetScene();
    const linked = join(temporaryDirectory(), 'linked');
    gitIn(at.workspace, 'worktree', 'add', '-q', linked);
    at.retake.json(linked, 'health', '--fix');
    expect(gitIn(at.workspace, 'config', '--local', 'gc.reflogExpire').trim()).toBe('180.days');
  });
});

describe('[GIT-7] checked daily', () => {
  test('by the background process; status tells what was found last', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    gitIn(at.workspace, 'init', '-q', '-b', 'main');
    commitFile(at.workspace, 'file');
    gitIn(at.workspace, 'config', 'gc.reflogExpireUnreachable', '2.days');
    const session = new PlayedSession(at);
    await session.start();
    const memo = join(dataOf(at), 'git-health.json');
    await until(() => existsSync(memo));
    expect(at.retake.json(at.workspace, 'status').gitHealth).toMatchObject({ verdict: 'critical' });
    expect(at.retake.run(at.workspace, 'status').stdout).toMatch(/^Git {9}critical: .*2 days.*$/m);
    health(at, '--fix');
    expect(at.retake.json(at.workspace, 'status').gitHealth).toMatchObject({ verdict: 'good' });
    expect(at.retake.run(at.workspace, 'status').stdout).not.toMatch(/^Git /m);
  });

  test('and not more often', async () => {
    const at = resetScene();
    await startSession(at, 's');
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'RETAKE_HOME']) vi.stubEnv(name, at.retake.env[name]);
    onTestFinished(() => void vi.unstubAllEnvs());
    const workspace = await Workspace.open({ directory: at.workspace });
    onTestFinished(() => workspace.close());
    const checkedAfter = async (hoursAgo: number) => {
      const checkedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      put(dataOf(at), 'git-health.json', JSON.stringify({ verdict: 'good', checkedAt, concerns: [] }));
      await checkGitHealthDaily(workspace);
      return at.retake.json(at.workspace, 'status').gitHealth.verdict;
    };
    expect(await checkedAfter(23)).toBe('good');
    expect(await checkedAfter(25)).toBe('warning');
    // A clock that was set back is no reason never to look again.
    expect(await checkedAfter(-25)).toBe('warning');
  });

  test('a memo that is torn counts as none', async () => {
    const at = resetScene();
    await startSession(at, 's');
    put(dataOf(at), 'git-health.json', '{"verdict":');
    expect(at.retake.json(at.workspace, 'status').gitHealth).toBeNull();
  });
});

describe('[GIT-7] how long is long enough is set', () => {
  test('reflog.days is what --fix sets, and never warned of', () => {
    const at = resetScene();
    at.retake.json(at.workspace, 'settings', 'reflog.days', '45', '--workspace');
    const before = health(at);
    expect(before.verdict).toBe('warning');
    expect(commands(before)).toEqual(['git config gc.reflogExpireUnreachable 45.days']);
    const { changed, after } = at.retake.json(at.workspace, 'health', '--fix');
    expect(changed).toMatchObject([{ key: 'gc.reflogExpireUnreachable', after: '45.days' }]);
    expect(after).toMatchObject({ verdict: 'good', retention: { reachable: 90, unreachable: 45 } });
  });

  test('reflog.warnDays is what is judged by', () => {
    const at = resetScene();
    expect(health(at).verdict).toBe('warning');
    at.retake.json(at.workspace, 'settings', 'reflog.warnDays', '30');
    expect(health(at).verdict).toBe('good');
    at.retake.json(at.workspace, 'settings', 'reflog.warnDays', '120');
    expect(commands(health(at))).toHaveLength(2);
  });
});
