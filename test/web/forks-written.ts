import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, PlayedSession, projectOf } from '../conversation/played-session.ts';
import { forked, turn } from '../forks/forked.ts';
import type { Scene } from '../support/scene.ts';
import { jsonl, type Line, prompt, reply, said } from '../transcript/support.ts';

const write = (at: Scene, session: string, lines: readonly Line[]): void => {
  mkdirSync(projectOf(at), { recursive: true });
  writeFileSync(join(projectOf(at), `${session}.jsonl`), jsonl(lines.map((line) => ({ ...line, sessionId: session, cwd: at.workspace }))));
};

/** Titles of branches, and the number of the one that each goes out from; the first is the beginning. */
export type Ways = readonly (readonly [title: string, from: number | null])[];

/** A session file as an agent leaves it behind that went on in all these ways. Returns the session. */
export const writeWays = (at: Scene, ways: Ways): string => {
  const session = randomUUID();
  const began = Date.now() - ways.length * 60_000;
  const lines = ways.flatMap(([title, from], order): Line[] => {
    const timestamp = new Date(began + order * 60_000).toISOString();
    const asked = { ...prompt(`prompt-${order}-${session}`, from === null ? null : `reply-${from}-${session}`, title), timestamp };
    const answered = {
      ...reply(`reply-${order}-${session}`, `prompt-${order}-${session}`, `msg-${order}`, said(`did: ${title}`)),
      timestamp,
    };
    return [asked, answered];
  });
  write(at, session, lines);
  return session;
};

/** Four ways from the beginning, and three from each of the first branches: 200 in all, four levels deep and more. */
export const TWO_HUNDRED: Ways = Array.from({ length: 200 }, (_, order) => [
  order === 0 ? 'Build a shop' : `Try number ${order}${order === 150 ? ', the needle' : ''}`,
  order === 0 ? null : order <= 4 ? 0 : Math.floor((order - 5) / 3) + 1,
]);

/** A fork in one session, and another inside one of its ways that took place in a second session, which began as a copy of the first. */
export const nestedOverTwo = async (at: Scene) => {
  const { session: first } = await forked(at);
  // Recorded while there is but one session, as it is where an agent takes its time.
  at.retake.json(at.workspace, 'forks');
  const id = randomUUID();
  write(at, id, linesOf(at, first.id));
  const second = new PlayedSession(at, id);
  const place = second.last;
  await turn(at, second, 'inner left', { 'inner.txt': 'inner left\n' });
  second.rewindTo(place);
  await turn(at, second, 'inner right', { 'inner.txt': 'inner right\n' });
  return { first, second };
};
