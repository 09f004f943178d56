import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stage } from '../attribution/stage.ts';
import type { Arena } from '../crash/arena.ts';
import { killEverywhere } from '../crash/kill-points.ts';
import { assertSound, storeOf } from '../crash/soundness.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { exportOf } from './exported.ts';

const LONG = 1_800_000;
const SESSION = 'the-session';

const line = (uuid: string, parentUuid: string | null, type: string, message: object): string =>
  `${JSON.stringify({ parentUuid, promptId: 'p', type, message, uuid, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/', sessionId: SESSION })}\n`;

const TALK =
  line('u1', null, 'user', { role: 'user', content: 'first' }) +
  line('u2', 'u1', 'assistant', { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'done' }] });

/** A short session with what was said in it, in a file. */
const makeExport = async (): Promise<Buffer> => {
  const at = await stage((root) => put(root, 'a.txt', 'one\n', 0o600));
  const transcript = join(temporaryDirectory(), `${SESSION}.jsonl`);
  writeFileSync(transcript, TALK);
  const common = { session_id: SESSION, cwd: at.root, transcript_path: transcript };
  await at.hear(JSON.stringify({ ...common, hook_event_name: 'UserPromptSubmit', prompt_id: 'p', prompt: 'first' }));
  const actor = at.actor(SESSION);
  await actor.step(() => put(at.root, 'sub/b.txt', 'two\n'));
  return readFileSync(await exportOf(at, SESSION));
};

interface Facts {
  readonly reported: readonly string[];
  readonly file: string;
}

const recorded = async (arena: Arena): Promise<Facts> => {
  put(arena.workspace, 'own.txt', 'mine\n');
  const { ended } = await arena.trace(['checkpoint', '--name', 'own', '--json']);
  return { reported: [JSON.parse(ended.stdout).id], file: join(arena.workspace, '../home/x.tar') };
};

test('[STO-4] [REL-2] an import killed before any effect: all of the session is there or nothing, and once more completes it', {
  timeout: LONG,
}, async () => {
  const bytes = await makeExport();
  const ended = { nothing: 0, all: 0 };
  const count = await killEverywhere<Facts>({
    name: 'import',
    command: ['import', '../home/x.tar'],
    prepare: async (arena) => {
      const facts = await recorded(arena);
      writeFileSync(facts.file, bytes);
      return facts;
    },
    verify: async ({ arena, facts }) => {
      const own = async () => (await assertSound(arena, facts.reported)).filter(({ id }) => !facts.reported.includes(id));
      const found = (await own()).length;
      const again = await arena.json('import', '../home/x.tar');
      expect([0, again.operations]).toContain(found);
      expect(again.imported).toBe(found === 0);
      ended[found === 0 ? 'nothing' : 'all']++;
      expect(await own()).toHaveLength(again.operations);
      expect((await arena.json('log')).operations.map(({ kind }: { kind: string }) => kind).at(-1)).toBe('manual');
      const data = dirname(await storeOf(arena));
      const [folder, ...more] = readdirSync(join(data, 'imported'));
      expect(more, 'no folder is left of what was not imported').toEqual([]);
      expect(readFileSync(join(data, 'imported', folder ?? '', 'session.jsonl'), 'utf8')).toBe(TALK);
      expect(existsSync(join(data, 'importing')), 'nothing is left where it was unpacked').toBe(false);
      const { messages } = await arena.json('show', again.newest, '--messages');
      expect(messages.length).toBeGreaterThan(0);
    },
  });
  expect(count).toBeGreaterThan(20);
  expect(Math.min(ended.nothing, ended.all)).toBeGreaterThan(2);
});

test('[STO-4] [REL-2] an export killed before any effect: the file is whole or not there, and once more makes it', {
  timeout: LONG,
}, async () => {
  let named = 0;
  const count = await killEverywhere<Facts>({
    name: 'export',
    command: ['export', 'local', '--output', '../home/x.tar'],
    env: { RETAKE_EXPORT_EXCLUDE: '["own.txt"]' },
    prepare: async (arena) => {
      mkdirSync(join(arena.workspace, 'sub'));
      put(arena.workspace, 'sub/other.txt', 'other\n');
      return recorded(arena);
    },
    verify: async ({ arena, facts }) => {
      await assertSound(arena, facts.reported);
      // Once it has its name, all that is left is to clear up.
      if (existsSync(facts.file)) named++;
      else await arena.json('export', 'local', '--output', facts.file);
      expect(readdirSync(dirname(facts.file)).filter((name) => name.includes('x.tar'))).toEqual(['x.tar']);
      expect(await arena.json('import', facts.file, '--as', 'copy')).toMatchObject({ imported: true, operations: 1 });
    },
  });
  expect(named).toBe(1);
  expect(count).toBeGreaterThan(10);
});
