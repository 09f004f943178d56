import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { commitAll, put, repositoryScene, type Scene } from '../support/scene.ts';

export const SECRET = 'hunter2-do-not-leak';

export const IMAGE_NAME = '<img src=x onerror=alert(1)>.txt';
export const TURNED_NAME = 'photo-\u202egnp.exe';
const LINES_NAME = 'two\nlines.txt';

export const EVIL_PROMPT = [
  '</blockquote><script src="https://evil.example/x.js"></script>',
  '![pixel](https://evil.example/p.png) <https://evil.example>',
  '````',
  '# not a heading',
].join('\n');

export const EVIL_LINE = '</span></code></pre><script>alert(1)</script>';

export interface Hostile {
  readonly at: Scene;
  readonly session: PlayedSession;
}

/** A session in which every name and text tries to be more than a text, on both sides of what is not the agent's. */
export const playHostile = async (): Promise<Hostile> => {
  const at = repositoryScene();
  const { workspace } = at;
  put(workspace, 'shop.ts', 'export const price = 1;\n');
  put(workspace, 'notes.md', 'one\n');
  commitAll(workspace);
  const session = new PlayedSession(at);
  const write = (name: string, content: string | Buffer): Promise<void> =>
    session.step('Write', { file_path: join(workspace, name) }, () => writeFileSync(join(workspace, name), content));
  await session.start();
  await session.prompt(EVIL_PROMPT);
  await write('shop.ts', `export const price = 2;\n${EVIL_LINE}\n\u001b[31mred\u001b[0m\n`);
  await write(IMAGE_NAME, '`````\n```\nstill inside\n');
  await write(TURNED_NAME, 'turned\n');
  await write(LINES_NAME, 'lines\n');
  await write('.env.local', `TOKEN=${SECRET}\n`);
  await write('logo.png', Buffer.from([0, 1, 2, 3]));
  await session.answer('<iframe src="https://evil.example"></iframe> **done** `x`');
  appendFileSync(join(workspace, 'notes.md'), 'two, by hand\n');
  await session.prompt('second <b>turn</b>');
  await write('long.txt', Array.from({ length: 450 }, (_, at) => `line ${at}\n`).join(''));
  await session.answer('ok');
  return { at, session };
};
