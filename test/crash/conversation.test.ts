import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Arena } from './arena.ts';
import { killEverywhere } from './kill-points.ts';
import { assertHealed, isUnderWay, type Scene, setScene } from './rollback-scene.ts';

const LONG = 1_800_000;
const SESSION = '11111111-2222-4333-8444-555555555555';

interface Facts extends Scene {
  readonly transcript: string;
  readonly told: Buffer;
}

const line = (arena: Arena, uuid: string, parentUuid: string | null, type: string, fields: object, message: object): string =>
  `${JSON.stringify({ parentUuid, ...fields, type, message, uuid, timestamp: '2026-01-01T00:00:00.000Z', cwd: arena.workspace, sessionId: SESSION })}\n`;

/** A session of two turns; the second one is about to be taken back, code and conversation. */
const prepare = async (arena: Arena): Promise<Facts> => {
  const transcript = join(arena.workspace, '../home/.claude/projects/somewhere', `${SESSION}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const prompt = (id: string): string =>
    JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: SESSION,
      cwd: arena.workspace,
      transcript_path: transcript,
      prompt_id: id,
      prompt: id,
    });
  writeFileSync(
    transcript,
    line(arena, 'u1', null, 'user', { promptId: 'p1' }, { role: 'user', content: 'first' }) +
      line(arena, 'u2', 'u1', 'assistant', {}, { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'done' }] }) +
      line(arena, 'u3', 'u2', 'user', { promptId: 'p2' }, { role: 'user', content: 'second' }) +
      line(arena, 'u4', 'u3', 'assistant', {}, { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'done' }] }),
  );
  const record = async (root: string, content: string): Promise<void> => writeFileSync(join(root, 'file'), content);
  const scene = await setScene(
    arena,
    (root) => void record(root, 'one'),
    (root) => void record(root, 'two'),
    (root) => void record(root, 'three'),
  );
  // Both prompts, at the state that is gone back to.
  await record(arena.workspace, 'one');
  arena.program = 'recorder';
  const { ended } = await arena.trace([prompt('p1'), prompt('p2')]);
  arena.program = 'faulty';
  expect(ended.code, ended.stderr).toBe(0);
  await record(arena.workspace, 'three');
  return { ...scene, transcript, told: readFileSync(transcript) };
};

test('[CNV-1] [RST-4] [REL-2] code and conversation taken back by a process killed before any effect: both or neither', {
  timeout: LONG,
}, async () => {
  const ended = { before: 0, target: 0 };
  const count = await killEverywhere({
    name: 'rewind both',
    command: ['rewind', 't2', '--scope', 'both', '--no-keep-mine', '--yes'],
    prepare,
    verify: async ({ arena, facts }) => {
      const underWay = isUnderWay(facts);
      const healed = await arena.run(0, ['status']);
      const state = await assertHealed(arena, facts, { kind: 'rollback', underWay, healed });
      ended[state]++;
      expect(readFileSync(facts.transcript)).toEqual(facts.told);
      const whole = readdirSync(dirname(facts.transcript)).filter((name) => name.endsWith('.jsonl') && !name.startsWith(SESSION));
      for (const name of whole)
        expect(
          readFileSync(join(dirname(facts.transcript), name), 'utf8')
            .trimEnd()
            .split('\n'),
        ).toHaveLength(2);
      if (state === 'before') return;
      const [rollback] = (await arena.json('rollbacks')).rollbacks;
      const { conversation } = await arena.json('show', rollback.id);
      expect(conversation).toMatchObject({ from: SESSION });
      expect(whole).toEqual([`${conversation.to}.jsonl`]);
    },
  });
  expect(count).toBeGreaterThan(20);
  expect(Math.min(ended.before, ended.target)).toBeGreaterThan(2);
});
