import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SessionId } from '../../src/model/index.ts';
import { findTranscript, resumeCommand, TRANSCRIPT_AGENTS, transcriptsOf } from '../../src/transcript/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { jsonl, prompt } from './support.ts';

/** A home of the client's, with a function that puts a session into one of its folders. */
const clientHome = () => {
  const home = temporaryDirectory();
  vi.stubEnv('CLAUDE_CONFIG_DIR', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const put = (folder: string, name: string, content: string): string => {
    const path = join(home, 'projects', folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  return { home, put };
};

const begunIn = (cwd: string): string => jsonl([{ type: 'mode', mode: 'normal' }, prompt('p', null, 'x', { cwd })]);

const sessionsOf = (directory: string): string[] => transcriptsOf('claude-code', directory).map((file) => file.session);

test('[CNV-1] the sessions of a directory, newest first, by the name the client gives its folder', () => {
  const { put } = clientHome();
  const old = put('-home-dev-my-shop-2', 'one.jsonl', begunIn('/home/dev/my.shop_2'));
  put('-home-dev-my-shop-2', 'two.jsonl', begunIn('/home/dev/my.shop_2'));
  put('-home-dev-my-shop-2', 'agent-x.jsonl', begunIn('/home/dev/my.shop_2'));
  put('-home-dev-my-shop-2', 'notes.txt', '');
  put('-home-dev-my-shop-2', 'three.jsonl/inside', '');
  put('-home-dev', 'four.jsonl', begunIn('/home/dev'));
  utimesSync(old, 1, 1);
  expect(sessionsOf('/home/dev/my.shop_2')).toEqual(['two', 'one']);
  expect(findTranscript('claude-code', 'one' as SessionId, '/home/dev/my.shop_2')).toEqual({
    agent: 'claude-code',
    session: 'one',
    path: old,
    bytes: begunIn('/home/dev/my.shop_2').length,
    modifiedAt: '1970-01-01T00:00:01.000Z',
  });
  expect(findTranscript('claude-code', '../-home-dev/four' as SessionId, '/home/dev/my.shop_2')).toBeUndefined();
  expect(TRANSCRIPT_AGENTS).toEqual(['claude-code']);
});

test('[CNV-1] directories that share a folder are told apart by what sessions say; one that says nothing is shown', () => {
  const { put } = clientHome();
  put('-home-a-b', 'dash.jsonl', begunIn('/home/a-b'));
  put('-home-a-b', 'slash.jsonl', begunIn('/home/a/b'));
  put('-home-a-b', 'moved.jsonl', begunIn('/elsewhere'));
  put('-home-a-b', 'silent.jsonl', 'garbage\n');
  expect(sessionsOf('/home/a-b').sort()).toEqual(['dash', 'moved', 'silent']);
  expect(sessionsOf('/home/a/b').sort()).toEqual(['moved', 'silent', 'slash']);
});

test('[CNV-1] a long name is cut and hashed by the client: the beginning and the directory told decide', () => {
  const { put } = clientHome();
  const long = `/home/${'x'.repeat(250)}`;
  const folder = `${long.replaceAll('/', '-').slice(0, 200)}-1abc2d`;
  put(folder, 'mine.jsonl', begunIn(long));
  put(folder, 'other.jsonl', begunIn(`${long}y`));
  expect(sessionsOf(long)).toEqual(['mine']);
});

test('[CNV-1] a directory reached through a link is the one it leads to', () => {
  const { home, put } = clientHome();
  mkdirSync(join(home, 'real'));
  symlinkSync('real', join(home, 'linked'));
  put(join(home, 'real').replaceAll(/[^a-zA-Z0-9]/g, '-'), 'one.jsonl', begunIn(join(home, 'real')));
  expect(sessionsOf(join(home, 'linked'))).toEqual(['one']);
});

test('[REL-6] without the client there are no sessions', () => {
  clientHome();
  expect(sessionsOf('/home/dev')).toEqual([]);
});

test('[CNV-1] the resume command runs in the directory whatever its name', () => {
  const directory = join(temporaryDirectory(), 'it\'s $(here)\n`now` "');
  const bin = join(temporaryDirectory(), 'bin');
  for (const path of [directory, bin]) mkdirSync(path);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nprintf "%s|" "$PWD" "$@"\n');
  chmodSync(join(bin, 'claude'), 0o755);
  const run = (session: string | null): string =>
    execFileSync('/bin/sh', ['-c', resumeCommand('claude-code', session as SessionId | null, directory)], {
      env: { PATH: bin },
      encoding: 'utf8',
    });
  expect(run('an-id')).toBe(`${directory}|--resume|an-id|`);
  expect(run("x'; exit 1")).toBe(`${directory}|--resume|x'; exit 1|`);
  expect(run(null)).toBe(`${directory}|`);
});
