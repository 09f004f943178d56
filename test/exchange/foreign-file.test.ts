import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedSession, projectOf } from '../conversation/played-session.ts';
import { Conversation } from '../daemon/claude-code.ts';
import { recordHere } from '../daemon/record-here.ts';
import { put, type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SECRET = 'PRIVATE KEY hunter2';
const SESSION = '11111111-1111-4111-8111-111111111111';

const exportOf = (at: Scene, session: string) => {
  const file = join(temporaryDirectory(), 'export.tar');
  const result = at.retake.json(at.workspace, 'export', session, '--output', file);
  return { result, text: execFileSync('tar', ['xOf', file]).toString('latin1') };
};

/** One prompt of a session whose agent names a file as its own. */
const promptWith = async (at: Scene, transcript: string): Promise<void> => {
  put(at.workspace, 'file', '1');
  const event = JSON.parse(new Conversation(SESSION, at.workspace).prompt('p1', 'hi'));
  await recordHere(at, JSON.stringify({ ...event, transcript_path: transcript }));
};

const line = (fields: Record<string, unknown>): string => `${JSON.stringify(fields)}\n`;

const FOREIGN: readonly [what: string, make: (folder: string) => string][] = [
  ['a key', (folder) => put(folder, 'id_rsa', `${SECRET}\n`)],
  ['a file without a line', (folder) => put(folder, 'token', SECRET)],
  ['JSON that is no conversation', (folder) => put(folder, 'credentials.jsonl', line({ key: SECRET }))],
  [
    'JSON that names the session, without the shape of a line',
    (folder) => put(folder, 'a.jsonl', line({ sessionId: SESSION, key: SECRET })),
  ],
  ['the conversation of another session', (folder) => put(folder, 'b.jsonl', line({ type: 'user', sessionId: 'other', text: SECRET }))],
  [
    'something with one line of the session in it',
    (folder) => put(folder, 'c.jsonl', `${SECRET}\n`.repeat(3) + line({ type: 'user', sessionId: SESSION })),
  ],
  [
    'a link to a key, called like a session',
    (folder) => {
      symlinkSync(put(folder, 'id_rsa', `${SECRET}\n`), join(folder, `${SESSION}.jsonl`));
      return join(folder, `${SESSION}.jsonl`);
    },
  ],
];

test.each(FOREIGN)('[STO-4] %s, named as the conversation by a hook, is not read, not exported, and said so', async (_, make) => {
  const at = scene();
  const path = make(temporaryDirectory());
  await promptWith(at, path);
  const { result, text } = exportOf(at, SESSION);
  expect(text).not.toContain(SECRET);
  expect(result.conversation).toBeNull();
  expect(result.noConversation).toContain(path);
  expect(JSON.stringify(at.retake.json(at.workspace, 'sessions'))).not.toContain(SECRET);
  const refused = at.retake.run(at.workspace, 'rewind', 't1', '--scope', 'conversation', '--yes', '--json');
  expect(refused.json.error).toMatchObject({ code: 'no-conversation', message: expect.stringContaining(path) });
});

test('[STO-4] a path that leads out of what was imported is not taken for an import', async () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const { store } = at.retake.json(at.workspace, 'status');
  mkdirSync(join(store, '../imported'), { recursive: true });
  const path = put(join(store, '..'), 'secret', `${SECRET}\n`);
  await promptWith(at, path.replace(/secret$/, 'imported/../secret'));
  expect(exportOf(at, SESSION).text).not.toContain(SECRET);
});

test("[STO-4] a link to a key in the agent's own folder is no conversation", async () => {
  const at = scene();
  mkdirSync(projectOf(at), { recursive: true });
  symlinkSync(put(temporaryDirectory(), 'id_rsa', `${SECRET}\n`), join(projectOf(at), `${SESSION}.jsonl`));
  await promptWith(at, join(projectOf(at), `${SESSION}.jsonl`));
  expect(exportOf(at, SESSION).text).not.toContain(SECRET);
});

test('[STO-4] a conversation that lies elsewhere is read, also by a link and with a torn line', async () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Say something memorable');
  appendFileSync(session.path, '{"torn\n');
  const elsewhere = join(temporaryDirectory(), 'kept.jsonl');
  renameSync(session.path, elsewhere);
  symlinkSync(elsewhere, session.path);
  const { result, text } = exportOf(at, session.id);
  expect(result).toMatchObject({ conversation: { messages: 1 }, noConversation: null });
  expect(text).toContain('Say something memorable');
});
