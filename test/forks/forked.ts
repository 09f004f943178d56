import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene } from '../daemon/support.ts';
import { put, type Scene } from '../support/scene.ts';

export const forkScene = (env: Record<string, string> = {}): Scene =>
  daemonScene({ RETAKE_HOOK_DEADLINE_MS: '60000', RETAKE_DAEMON_ENABLED: 'false', RETAKE_AGENT_TELL_REWINDS: 'false', ...env });

export const text = (at: Scene, path: string): string | undefined =>
  existsSync(join(at.workspace, path)) ? readFileSync(join(at.workspace, path), 'utf8') : undefined;

/** A turn that writes some files. */
export const turn = async (at: Scene, session: PlayedSession, prompt: string, files: Readonly<Record<string, string>>): Promise<void> => {
  await session.prompt(prompt);
  for (const [path, content] of Object.entries(files)) {
    await session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, content));
  }
  await session.answer(`did: ${prompt}`);
};

/** One turn, then two ways to go on from it: `left` was left for `right`, and the code taken back in between. */
export const forked = async (at: Scene) => {
  const session = new PlayedSession(at);
  await session.start();
  await turn(at, session, 'begin', { 'shared.txt': 'one\ntwo\nthree\n', 'base.txt': 'base\n' });
  const place = session.last;
  await turn(at, session, 'left', { 'shared.txt': 'one\nleft\nthree\n', 'left.txt': 'left\n' });
  session.rewindTo(place);
  at.retake.run(at.workspace, 'rewind', 't2', '--scope', 'code', '--yes');
  await turn(at, session, 'right', { 'shared.txt': 'one\nright\nthree\n', 'right.txt': 'right\n' });
  return { session, place };
};

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const forksOf = (at: Scene): any => at.retake.json(at.workspace, 'forks');

/** The tree as words: title, then its children in brackets. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const drawn = (tree: readonly any[]): string =>
  tree.map(({ title, current, children }) => `${title}${current ? '*' : ''}${children.length > 0 ? `(${drawn(children)})` : ''}`).join(' ');

// biome-ignore lint/suspicious/noExplicitAny: as above
export const branchNamed = (tree: readonly any[], title: string): any =>
  tree.map((branch) => (branch.title === title ? branch : branchNamed(branch.children, title))).find((branch) => branch !== undefined);
