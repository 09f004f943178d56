import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

export const SECRET = 'PASSWORD=correct-horse-battery-staple';
const OTHER_SECRET = 'TOKEN=tr0ub4dor-and-3';
export const SECRETS = [SECRET, OTHER_SECRET, `${SECRET}2`];

export interface RichSession {
  readonly at: Scene;
  readonly session: PlayedSession;
  /** A file outside the workspace that the agent wrote. */
  readonly outside: string;
}

/** A name that is not UTF-8. */
const oddName = (root: string): Buffer => Buffer.concat([Buffer.from(`${root}/odd-`), Buffer.from([0xff, 0x0a, 0xfe])]);

/**
 * A session with nearly everything that can be recorded: odd names and permissions, links, files outside, secrets, a named and a noted
 * checkpoint, a pin, one that is deleted, rewinds of parts and of all with the conversation, an undo, a fork.
 */
export const playRichSession = async (env: Record<string, string> = {}): Promise<RichSession> => {
  const at = repositoryScene(env);
  const { workspace: root, retake } = at;
  put(root, 'README.md', 'hello\n');
  put(root, '.gitignore', 'ignored/\n.env\n');
  put(root, '.env', SECRET);
  put(root, 'ignored/cache', 'cache');
  commitAll(root, 'begin');
  retake.json(root, 'checkpoint', '--name', 'before-all');
  const session = new PlayedSession(at);
  const outside = join(temporaryDirectory(), 'notes.txt');
  const outsideSecret = join(outside, '../.env.local');
  await session.start();
  await session.prompt('Make a page');
  await session.step('Bash', { command: 'make' }, () => {
    put(root, 'src/page.ts', 'export const page = 1;\n');
    put(root, 'src/deep/.env.production', OTHER_SECRET, 0o600);
    put(root, 'bin/run', '#!/bin/sh\n', 0o755);
    put(root, 'private/key.txt', 'not so secret\n', 0o600);
    chmodSync(join(root, 'private'), 0o700);
    mkdirSync(join(root, 'empty'));
    symlinkSync('src/page.ts', join(root, 'link'));
    writeFileSync(oddName(root), 'odd\n');
    put(root, '-dash *?', 'dash\n');
  });
  await session.step('Write', { file_path: join(root, 'src/page.ts') }, () => put(root, 'src/page.ts', 'export const page = 2;\n'));
  await session.step('Write', { file_path: outside }, () => writeFileSync(outside, 'outside\n'));
  await session.step('Write', { file_path: outsideSecret }, () => writeFileSync(outsideSecret, SECRET));
  await session.answer('made');
  const subagent = join(session.path.replace(/\.jsonl$/, ''), 'subagents/agent-abc123');
  put(subagent, '../agent-abc123.jsonl', '{"type":"user"}\n{"not":"whole');
  put(subagent, '../agent-abc123.meta.json', '{"agentType":"helper"}');
  retake.json(root, 'checkpoint', '--session', session.id, '--name', 'good', '--note', 'works so far');
  put(root, 'mine.txt', 'by hand\n');
  await session.prompt('Break it');
  await session.step('Bash', { command: 'rm' }, () => {
    rmSync(join(root, 'src/page.ts'));
    put(root, '.env', `${SECRET}2`);
    put(root, 'broken.txt', 'broken\n');
  });
  await session.answer('broken');
  put(root, 'mine.txt', 'by hand again\n');
  const gone = retake.json(root, 'checkpoint', '--session', session.id, '--name', 'gone');
  retake.json(root, 'note', 't1', 'where it began');
  retake.json(root, 'pin', 'good');
  retake.json(root, 'rewind', 'good', '--path', 'src/page.ts', '--yes');
  retake.json(root, 'rewind', 't2', '--yes');
  retake.json(root, 'undo', '--yes');
  retake.json(root, 'delete', gone.id);
  retake.json(root, 'fork', 't2', '--name', 'another way');
  retake.json(root, 'rewind', 't2', '--scope', 'both', '--yes');
  return { at, session, outside };
};
