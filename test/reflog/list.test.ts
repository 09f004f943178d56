import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromText } from '../../src/model/index.ts';
import { findRepository, readReflogs, type UserRepository } from '../../src/usergit/index.ts';
import { reflogsByGit } from '../../src/usergit/reflog/reflog-by-git.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene } from '../daemon/support.ts';
import { gitIn } from '../support/git.ts';
import { gitState, put, repositoryScene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import {
  addToLog,
  commitFile,
  dropCommits,
  head,
  lineText,
  logFile,
  NOBODY,
  resetScene,
  secondsAgo,
  startSession,
  writeLog,
} from './support.ts';

interface Entry {
  readonly selector: string;
  readonly commit: string;
  readonly action: string;
  readonly message: string;
}

/** What git itself lists, as `selector commit note`. */
const listedByGit = (repository: string, ref: string): string[] =>
  gitIn(repository, 'log', '-g', '--format=%gd %H %gs', ref)
    .split('\n')
    .filter((line) => line !== '');

const asText = ({ selector, commit, action, message }: Entry): string => {
  const note = action === '' || action === 'stash' ? message : `${action}: ${message}`;
  return `${selector} ${commit} ${note.trimEnd()}`;
};

const listed = (entries: readonly (Entry & { ref: string })[], ref: string): string[] =>
  entries.filter((entry) => entry.ref === ref).map(asText);

const repositoryOf = (directory: string): UserRepository => findRepository(fromText(directory)) as UserRepository;

/** A repository whose refs moved in many ways. */
const movedScene = (...options: string[]) => {
  const at = repositoryScene({}, ...options);
  const { workspace } = at;
  for (const name of ['a', 'b']) commitFile(workspace, name, `made ${name}: über\n\nand more`);
  gitIn(workspace, 'commit', '-q', '--amend', '-m', 'amended');
  gitIn(workspace, 'checkout', '-qb', 'topic/deep');
  commitFile(workspace, 'c');
  gitIn(workspace, 'rebase', '-q', '--force-rebase', 'HEAD~1');
  put(workspace, 'a', 'to be stashed');
  gitIn(workspace, 'stash', '-q');
  gitIn(workspace, 'checkout', '-q', 'main');
  gitIn(workspace, 'merge', '-q', '--no-ff', '-m', 'merged', 'topic/deep');
  gitIn(workspace, 'reset', '-q', '--hard', 'HEAD~1');
  return at;
};

describe('[GIT-7] the reflogs are one list', () => {
  test.each([[[]], [['--object-format=sha256']]])('with what git lists itself %j', (options) => {
    const { workspace, retake } = movedScene(...options);
    const git = gitState(join(workspace, '.git'));
    const { entries, garbage } = retake.json(workspace, 'reflog');
    expect(garbage).toBe(0);
    for (const ref of ['HEAD', 'refs/heads/main', 'refs/heads/topic/deep', 'refs/stash'])
      expect([ref, listed(entries, ref)]).toEqual([ref, listedByGit(workspace, ref)]);
    expect(new Set(entries.map(({ action }: Entry) => action))).toContain('rebase (finish)');
    expect(entries.map(({ at }: { at: string }) => at)).toEqual(
      entries
        .map(({ at }: { at: string }) => at)
        .sort()
        .reverse(),
    );
    expect(entries.every(({ recoverable }: { recoverable: boolean }) => recoverable)).toBe(true);
    expect(gitState(join(workspace, '.git'))).toEqual(git);
  });

  test('where only git can read the logs, the list is the same', async () => {
    const { workspace } = movedScene();
    const repository = repositoryOf(workspace);
    const { entries } = await readReflogs(repository);
    const told = await reflogsByGit(repository);
    for (const ref of new Set(entries.map((entry) => entry.ref))) {
      const own = entries.filter((entry) => entry.ref === ref).map(({ to, who, at, note }) => ({ to, who, at, note: note.trimEnd() }));
      const theirs = told.get(ref)?.map(({ to, who, at, note }) => ({ to, who, at, note }));
      expect([ref, theirs?.reverse()]).toEqual([ref, own]);
    }
    const froms = (ref: string) => told.get(fromText(ref))?.map(({ from }) => from);
    expect(froms('refs/heads/main')).toEqual(
      entries
        .filter(({ ref }) => ref === 'refs/heads/main')
        .map(({ from }) => from)
        .reverse(),
    );
  });

  test('is searched by words in message, action, ref and commit', () => {
    const { workspace, retake } = movedScene();
    const find = (...words: string[]) => retake.json(workspace, 'reflog', ...words).entries;
    expect(find('amended').map(asText)).toEqual(
      find()
        .filter(({ message }: Entry) => message === 'amended')
        .map(asText),
    );
    expect(find('AMENDED').length).toBe(2);
    expect(new Set(find('topic/deep@').map(({ ref }: { ref: string }) => ref))).toEqual(new Set(['refs/heads/topic/deep']));
    expect(find('reset', 'HEAD').every(({ action }: Entry) => action === 'reset')).toBe(true);
    const id = head(workspace).slice(0, 12);
    const byId: Entry[] = find(id);
    expect(byId.some(({ commit }) => commit === head(workspace))).toBe(true);
    // Git itself names commits in some messages.
    expect(byId.every(({ commit, message }) => commit.startsWith(id) || message.includes(id))).toBe(true);
    expect(find('über').length).toBeGreaterThan(0);
    expect(find('no such words')).toEqual([]);
    const limited = retake.json(workspace, 'reflog', '--limit', '3');
    expect([limited.entries.length, limited.total]).toEqual([3, find().length]);
    expect(retake.run(workspace, 'reflog', 'amended').stdout).toMatch(
      /HEAD@\{\d+\}\s+[0-9a-f]{10}\s.*commit \(amend\): amended.*expires in/,
    );
  });

  test('and tells which commits can still be had', () => {
    const { workspace, retake, three } = resetScene();
    const stateOf = (commit: string) => {
      const { entries } = retake.json(workspace, 'reflog', commit, 'HEAD@');
      return entries.map(({ recoverable, reachable }: { recoverable: boolean; reachable: boolean }) => [recoverable, reachable]);
    };
    expect(stateOf(three)).toEqual([[true, false]]);
    const lines = gitIn(workspace, 'reflog', 'show', '--no-abbrev-commit');
    expect(lines).toContain(three);
    const log = lineText({ from: NOBODY, to: three, at: secondsAgo(60), note: 'commit: three' });
    dropCommits(workspace);
    expect(retake.json(workspace, 'reflog').entries).toEqual([]);
    addToLog(workspace, 'HEAD', log);
    expect(stateOf(three).map(([recoverable]: boolean[]) => recoverable)).toEqual([false]);
    expect(retake.json(workspace, 'reflog', '--stats')).toMatchObject({ entries: 1, recoverable: 0 });
    expect(retake.run(workspace, 'reflog').stdout).toContain('gone');
  });
});

describe('[GIT-7] [REL-6] logs in any state', () => {
  test('garbage is passed over as git does, and counted', () => {
    const { workspace, retake, one } = resetScene();
    const before = listedByGit(workspace, 'HEAD').length;
    const good = lineText({ from: NOBODY, to: one, at: secondsAgo(5), note: 'odd: \x80\xff bytes' });
    const garbage = [
      'not a line\n',
      '\n',
      '\0\0\0\n',
      good.replace(one, 'abc'),
      good.replace('>', ''),
      good.replace(/ \d{10} /, ' 0 '),
      good.replace('+0000', 'zone'),
      `${'x'.repeat(1_000_000)}\n`,
      good.trimEnd(),
    ];
    addToLog(workspace, 'HEAD', Buffer.from([good, ...garbage].join(''), 'latin1'));
    const list = retake.json(workspace, 'reflog');
    expect(list.garbage).toBe(garbage.length);
    expect(list.entries.filter(({ ref }: { ref: string }) => ref === 'HEAD').length).toBe(before + 1);
    expect(list.entries.find(({ action }: Entry) => action === 'odd')).toMatchObject({ selector: 'HEAD@{0}', commit: one });
  });

  test('a log that is no file, one in the place of a directory, and one without a ref', () => {
    const { workspace, retake } = resetScene();
    put(workspace, '.git/logs/refs/heads/strange/main', 'x');
    rmSync(logFile(workspace, 'refs/heads/main'));
    put(workspace, '.git/logs/refs/heads/main/inside', lineText({ from: NOBODY, to: head(workspace), at: secondsAgo(9), note: 'x: y' }));
    const list = retake.json(workspace, 'reflog');
    expect(list.entries.map(({ ref }: { ref: string }) => ref)).toContain('refs/heads/main/inside');
  });

  test('a branch without commits, and no repository at all', () => {
    const empty = repositoryScene();
    expect(empty.retake.json(empty.workspace, 'reflog')).toEqual({ entries: [], total: 0, garbage: 0, unreadable: [] });
    expect(empty.retake.json(empty.workspace, 'reflog', '--stats')).toMatchObject({ entries: 0, oldest: null, bytes: 0 });
    const none = scene();
    for (const verb of [['reflog'], ['reflog', '--stats'], ['reflog', '--restore'], ['health', '--fix']]) {
      const { code, json } = none.retake.run(none.workspace, ...verb, '--json');
      expect([verb, code, json.error.code]).toEqual([verb, 1, 'no-repository']);
    }
    expect(none.retake.json(none.workspace, 'health').git).toBeNull();
  });

  test('a linked worktree has a HEAD of its own', () => {
    const { workspace, retake } = resetScene();
    const linked = join(temporaryDirectory(), 'linked');
    gitIn(workspace, 'worktree', 'add', '-q', '-b', 'beside', linked);
    commitFile(linked, 'there');
    gitIn(linked, 'update-ref', '--create-reflog', 'refs/worktree/own', 'HEAD');
    const { entries } = retake.json(linked, 'reflog');
    for (const ref of ['HEAD', 'refs/heads/beside', 'refs/heads/main'])
      expect([ref, listed(entries, ref)]).toEqual([ref, listedByGit(linked, ref)]);
    const refsAt = (directory: string) => new Set(retake.json(directory, 'reflog').entries.map(({ ref }: { ref: string }) => ref));
    expect(refsAt(linked)).toContain('refs/worktree/own');
    expect(refsAt(workspace)).not.toContain('refs/worktree/own');
  });

  test('a hundred thousand entries', () => {
    const { workspace, retake, one, two, three } = resetScene();
    const ids = [one, two, three];
    const lines = Array.from({ length: 100_000 }, (_, n) => ({
      from: ids[n % 3] as string,
      to: ids[(n + 1) % 3] as string,
      at: secondsAgo(100_000 - n),
      note: `commit: number ${n}`,
    }));
    writeLog(workspace, 'HEAD', lines);
    expect(retake.json(workspace, 'reflog', 'number 99999').entries).toMatchObject([{ selector: 'HEAD@{0}', recoverable: true }]);
    expect(retake.json(workspace, 'reflog', '--stats')).toMatchObject({ entries: 100_004, recoverable: 100_004 });
  });
});

describe('[GIT-7] entries are tied to sessions', () => {
  test('by their time, and by what the commit says', async () => {
    const at = daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000' });
    gitIn(at.workspace, 'init', '-q', '-b', 'main');
    const before = commitFile(at.workspace, 'before');
    writeLog(at.workspace, 'HEAD', [{ from: NOBODY, to: before, at: secondsAgo(3600), note: 'commit: before' }]);
    const session = new PlayedSession(at);
    await session.start();
    await session.prompt('make a cart');
    await session.step('Bash', {}, () => commitFile(at.workspace, 'cart'));
    await session.step('Bash', {}, () => commitFile(at.workspace, 'shop', 'shop\n\nSession: another'));
    await session.answer('done');
    const sessionsOf = (...args: string[]) =>
      at.retake
        .json(at.workspace, 'reflog', ...args)
        .entries.filter(({ ref }: { ref: string }) => ref === 'HEAD')
        .map(({ message, session, sessionBy }: Record<string, string>) => [message, session, sessionBy]);
    expect(sessionsOf()).toEqual([
      ['shop', 'another', 'trailer'],
      ['cart', session.id, 'time'],
      ['before', null, null],
    ]);
    expect(sessionsOf('--session', 'another')).toEqual([['shop', 'another', 'trailer']]);
    expect(sessionsOf('--session', session.id).map(([message]: string[]) => message)).toEqual(['shop', 'cart']);
    expect(at.retake.json(at.workspace, 'reflog', '--stats').sessions).toBe(2);
  });

  test('looking leaves no trace where nothing is recorded', () => {
    const at = resetScene();
    at.retake.json(at.workspace, 'reflog');
    at.retake.json(at.workspace, 'health');
    expect(at.retake.json(at.workspace, 'status').protected).toBe(false);
  });
});

test('[GIT-7] [CAP-10] nothing that the repository names is run', async () => {
  const at = resetScene();
  await startSession(at, 's');
  const traces = temporaryDirectory();
  const trap = put(temporaryDirectory(), 'trap', `#!/bin/sh\ntouch ${traces}/ran\n`, 0o755);
  const keys = ['core.fsmonitor', 'core.pager', 'pager.log', 'gpg.program', 'core.sshCommand', 'diff.external', 'trailer.session.command'];
  for (const key of keys) gitIn(at.workspace, 'config', key, trap);
  gitIn(at.workspace, 'config', 'log.showSignature', 'true');
  const signed = gitIn(at.workspace, 'cat-file', 'commit', 'HEAD').replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n\n');
  writeFileSync(join(at.workspace, 'object'), signed);
  const id = gitIn(at.workspace, 'hash-object', '-t', 'commit', '-w', 'object').trim();
  addToLog(at.workspace, 'HEAD', lineText({ from: head(at.workspace), to: id, at: secondsAgo(2), note: 'commit: signed' }));
  const before = gitState(join(at.workspace, '.git'));
  for (const args of [['reflog'], ['reflog', '--stats'], ['health'], ['reflog', '--restore', '--dry-run']])
    at.retake.json(at.workspace, ...args);
  await reflogsByGit(repositoryOf(at.workspace));
  expect(gitState(join(at.workspace, '.git'))).toEqual(before);
  expect(readdirSync(traces)).toEqual([]);
  // It is a trap: git alone runs into it.
  gitIn(at.workspace, '--no-pager', 'log', '-1', id);
  expect(readdirSync(traces)).toEqual(['ran']);
});
