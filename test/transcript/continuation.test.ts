import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message, MessageId, SessionId } from '../../src/model/index.ts';
import { type Cut, type Summary, type Transcript, writeContinuation } from '../../src/transcript/index.ts';
import fc from '../support/property.ts';
import { anyLines } from './arbitrary.ts';
import {
  call,
  copyOf,
  GENUINE,
  type Genuine,
  genuinePath,
  idsOf,
  jsonl,
  type Line,
  linesOf,
  link,
  NEXT,
  open,
  prompt,
  reply,
  result,
  SESSION,
  said,
  session,
  sessionFile,
  textsOf,
} from './support.ts';

const ALL = Object.keys(GENUINE) as Genuine[];

const write = (transcript: Transcript, cut: Cut, summary?: Summary, id: SessionId = randomUUID() as SessionId) =>
  writeContinuation(transcript, { cut, session: id, ...(summary && { summary }) });

const written = (transcript: Transcript, cut: Cut, summary?: Summary): string => {
  const path = write(transcript, cut, summary)?.path;
  if (path === undefined) throw new Error('nothing was written');
  return path;
};

const promptNamed = (transcript: Transcript, text: string): MessageId => {
  const found = transcript.messages.find((message) => message.kind === 'prompt' && message.text === text);
  if (found === undefined) throw new Error(`no prompt ${text}`);
  return found.id;
};

const uuidsOf = (path: string): unknown[] => linesOf(path).flatMap((line) => (line.uuid === undefined ? [] : [line.uuid]));

/** What a client would stumble over. */
const expectConsistent = (path: string, id: string): void => {
  const lines = linesOf(path);
  const uuids = new Set(uuidsOf(path));
  for (const line of lines) {
    expect(line.sessionId ?? id).toBe(id);
    for (const parent of [line.parentUuid, line.logicalParentUuid]) expect(parent == null || uuids.has(parent)).toBe(true);
  }
  const blocks = lines.flatMap((line) => (line.message as { content?: Line[] } | undefined)?.content ?? []).filter((block) => block.type);
  const asked = blocks.filter((block) => block.type === 'tool_use').map((block) => block.id);
  const answered = blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
  expect(new Set(answered)).toEqual(new Set(asked));
};

test.each(ALL)('[CNV-1] %s: cut anywhere, the new session says what was said up to there, and the old file stays as it is', (name) => {
  const path = copyOf(name);
  const before = readFileSync(path);
  const transcript = open(path);
  for (const message of transcript.messages) {
    for (const cut of [{ before: message.id }, { through: message.id }]) {
      const kept = transcript.branchTo(message.id).slice(0, 'before' in cut ? -1 : undefined);
      const continuation = write(transcript, cut);
      if (continuation === null) {
        expect(kept).toEqual([]);
        continue;
      }
      const back = open(continuation.path);
      expect(back.current).toEqual(kept);
      expect(back.messages).toEqual(kept);
      expect(back.skipped).toEqual({ lines: 0, reasons: [] });
      expect(continuation.messages).toBe(kept.length);
      expectConsistent(continuation.path, continuation.session);
    }
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each(ALL)('[CNV-2] %s: kept lines differ in nothing but the session', (name) => {
  const transcript = open(copyOf(name));
  const old = new Map(linesOf(transcript.path).map((line) => [line.uuid, line]));
  const last = transcript.current.at(-1)?.id as MessageId;
  const path = written(transcript, { through: last });
  const id = path.match(/([^/]+)\.jsonl$/)?.[1];
  const copies = linesOf(path).filter((line) => line.uuid !== undefined);
  expect(copies.length).toBeGreaterThan(transcript.current.length);
  for (const line of copies) {
    const session = old.get(line.uuid)?.session_id;
    expect(line).toEqual({ ...old.get(line.uuid), sessionId: id, ...(session !== undefined && { session_id: id }) });
  }
});

test('[CNV-1] before the first prompt nothing is left to resume, and nothing is written', () => {
  const transcript = open(copyOf('rewind'));
  expect(write(transcript, { before: promptNamed(transcript, 'add a cart') })).toBeNull();
  expect(readdirSync(dirname(transcript.path))).toHaveLength(1);
});

test('[CNV-1] the new file is private, and takes the place of none', () => {
  const transcript = open(copyOf('rewind'));
  const cut = { before: promptNamed(transcript, 'add tax') };
  const path = write(transcript, cut, undefined, NEXT)?.path ?? '';
  const bytes = readFileSync(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => write(transcript, cut, undefined, NEXT)).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(dirname(path))).toHaveLength(2);
});

test.each(['../escape', '', 'a/b', `${NEXT}/..`])('[REL-6] the session id %j is refused, and nothing is written', (id) => {
  const transcript = open(copyOf('fork'));
  const cut = { through: transcript.current.at(-1)?.id as MessageId };
  expect(() => write(transcript, cut, undefined, id as SessionId)).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(readdirSync(dirname(transcript.path))).toHaveLength(1);
  expect(() => write(transcript, { before: 'none' as MessageId })).toThrow(expect.objectContaining({ code: 'unknown-id' }));
});

test('[CNV-2] through a step: all results of its parallel calls, nothing of what follows', () => {
  const transcript = open(copyOf('rewind'));
  const step = transcript.current.find((message) => message.calls.length === 3) as Message;
  expect(open(written(transcript, { through: step.id })).current.at(-1)).toEqual(step);
});

const interrupted = [
  prompt('p1', null),
  reply('a1', 'p1', 'm1', said('both'), call('c1')),
  reply('a2', 'a1', 'm1', call('c2')),
  result('r1', 'a1', 'c1'),
  prompt('p2', 'a2'),
  reply('a3', 'p2', 'm2', said('fine')),
];

test('[CNV-2] a call that was never answered gets an answer, and what follows comes after it', () => {
  const path = written(session(interrupted), { through: 'm2' as MessageId });
  const back = open(path);
  expect(idsOf(back.current)).toEqual(['p1', 'm1', 'p2', 'm2']);
  expect(back.current[1]?.calls.map(({ id, result }) => [id, result?.isError])).toEqual([
    ['c1', false],
    ['c2', true],
  ]);
  const lines = linesOf(path);
  const answer = lines.find((line) => !interrupted.some(({ uuid }) => uuid === line.uuid));
  expect(answer).toMatchObject({ type: 'user', cwd: '/home/dev/shop' });
  expect(lines.find((line) => line.uuid === 'p2')?.parentUuid).toBe(answer?.uuid);
});

test('[CNV-2] lines that stand before the one they follow are written behind it', () => {
  const transcript = session([prompt('p2', 'a1'), prompt('p1', null), reply('a1', 'p1', 'm1', said('one'))]);
  expect(idsOf(open(written(transcript, { through: 'p2' as MessageId })).current)).toEqual(['p1', 'm1', 'p2']);
});

test('[CNV-2] unknown types pass where they belong to what is kept; other branches and side chains do not', () => {
  const transcript = session([
    { type: 'title', title: 'x', sessionId: SESSION },
    prompt('p1', null),
    { type: 'new-kind', messageId: 'p1', sessionId: SESSION },
    link('future', 'p1', { type: 'quantum', entangled: { uuid: 'p9' } }),
    reply('a1', 'future', 'm1', said('one')),
    { type: 'new-kind', about: 'nothing', sessionId: SESSION },
    { ...prompt('side', null), isSidechain: true },
    prompt('p2', 'a1'),
    { type: 'new-kind', about: 'abandoned', sessionId: SESSION },
    prompt('p3', 'a1'),
    { type: 'new-kind', messageId: 'p2', sessionId: SESSION },
    reply('a3', 'p3', 'm3', said('three')),
  ]);
  expect(linesOf(written(transcript, { through: 'm3' as MessageId })).map((line) => line.uuid ?? line.about ?? line.type)).toEqual([
    'title',
    'p1',
    'new-kind',
    'future',
    'a1',
    'nothing',
    'p3',
    'a3',
  ]);
});

test('[CNV-2] bytes that JavaScript would not write again stay: numbers, spacing, repeated keys, what is no UTF-8', () => {
  const line = Buffer.concat([
    Buffer.from('{ "big":12345678901234567890,"n":1.0,\t"twice":1,"twice":2,"sessionId" : "x\\"}","__proto__":{"sessionId":"kept"},'),
    Buffer.from('"type":"user","uuid":"p","parentUuid":null,"message":{"content":"caf\\u00e9 '),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(' é \\\\"},"sessionId":"y"}'),
  ]);
  const transcript = open(sessionFile(Buffer.concat([line, Buffer.from('\n')])));
  const expected = line.toString('latin1').replace('"x\\"}"', `"${NEXT}"`).replace('"y"', `"${NEXT}"`);
  const path = write(transcript, { through: 'p' as MessageId }, undefined, NEXT)?.path ?? '';
  expect(readFileSync(path, 'latin1')).toBe(`${expected}\n`);
});

test('[CNV-2] a snake-case session id that names another session keeps naming it', () => {
  const transcript = session([prompt('p', null, 'x', { session_id: 'another' }), prompt('q', 'p', 'y', { session_id: SESSION })]);
  const lines = linesOf(write(transcript, { through: 'q' as MessageId }, undefined, NEXT)?.path ?? '');
  expect(lines.map((line) => line.session_id)).toEqual(['another', NEXT]);
});

test('[CNV-2] a text that is cut when read is whole when written', () => {
  const text = 'z'.repeat(2_000_000);
  const transcript = session([prompt('p', null, text)]);
  expect(transcript.messages[0]?.text.length).toBeLessThan(text.length);
  expect(linesOf(written(transcript, { through: 'p' as MessageId }))[0]?.message).toEqual({ role: 'user', content: text });
});

test('[CNV-4] a summary of the rest is told at the end, after what is kept', () => {
  const transcript = open(copyOf('rewind'));
  const cut = { before: promptNamed(transcript, 'add tax, but three') };
  const path = written(transcript, cut, { text: 'Then taxes.', of: 'rest' });
  const back = open(path);
  const kept = transcript.branchTo(cut.before).slice(0, -1);
  expect(back.current.slice(0, -1)).toEqual(kept);
  expect(back.current.at(-1)).toMatchObject({ kind: 'summary', role: 'user', parent: kept.at(-1)?.id });
  expect(back.current.at(-1)?.text).toContain('Then taxes.');
  expect(back.current.at(-1)?.text).toContain(transcript.path);
  expectConsistent(path, back.session);
});

/** The fields that both have in every compaction that the client writes. */
const shapeOf = (lines: readonly Line[]): string[][] => {
  const at = lines.findIndex((line) => line.subtype === 'compact_boundary');
  return [lines[at], lines[at + 1]].map((line) => Object.keys(line ?? {}));
};

test('[CNV-4] a written summary has the fields of a compaction by the client, and names what is preserved', () => {
  const genuine = linesOf(genuinePath('compact'));
  const transcript = open(copyOf('compact'));
  const lines = linesOf(written(transcript, { before: promptNamed(transcript, 'make b') }, { text: 'Made b.', of: 'rest' }));
  const [boundary, summary] = shapeOf(lines);
  const [clientBoundary, clientSummary] = shapeOf(genuine);
  // What the client alone knows of: its name for the session, the prompt that asked, and the turn.
  const unknown = new Set(['promptId', 'turnPosition', 'session_id', 'isVisibleInTranscriptOnly', 'slug']);
  expect(clientBoundary?.filter((key) => !unknown.has(key) && !boundary?.includes(key))).toEqual([]);
  expect(clientSummary?.filter((key) => !unknown.has(key) && !summary?.includes(key))).toEqual([]);
  const [first, ...rest] = lines.filter((line) => line.uuid !== undefined).map((line) => line.uuid);
  const [head, tail] = [first, rest.at(-3)];
  expect(lines.find((line) => line.subtype === 'compact_boundary')).toMatchObject({
    parentUuid: null,
    logicalParentUuid: tail,
    compactMetadata: { preservedSegment: { headUuid: head, anchorUuid: rest.at(-2), tailUuid: tail }, messagesSummarized: 11 },
  });
});

test('[CNV-4] a summary of what was before comes first, and all from the cut on follows it', () => {
  const transcript = open(copyOf('rewind'));
  const cut = { before: promptNamed(transcript, 'add tax, but three') };
  const path = written(transcript, cut, { text: 'A cart and a checkout.', of: 'before' });
  const back = open(path);
  const followed = transcript.current.slice(transcript.current.findIndex(({ id }) => id === cut.before));
  expect(back.current[0]).toMatchObject({ kind: 'summary', parent: null });
  expect(back.current[1]).toEqual({ ...followed[0], parent: back.current[0]?.id });
  expect(back.current.slice(2)).toEqual(followed.slice(1));
  expect(back.messages).toEqual(back.current);
  expectConsistent(path, back.session);
});

test('[CNV-4] what was before can be summarized on a branch that is not the active one', () => {
  const transcript = open(copyOf('rewind'));
  const path = written(transcript, { before: promptNamed(transcript, 'seed the cart') }, { text: 'Before.', of: 'before' });
  expect(textsOf(open(path).current).slice(1)).toEqual(['seed the cart', '', 'Cart seeded.']);
});

test('[CNV-4] a summary of everything is a session of its own', () => {
  const transcript = open(copyOf('rewind'));
  const continuation = write(transcript, { before: promptNamed(transcript, 'add a cart') }, { text: 'All of it.', of: 'rest' });
  expect(continuation?.messages).toBe(1);
  expect(open(continuation?.path ?? '').current.map((message) => message.kind)).toEqual(['summary']);
});

test("[CNV-2] subagents of kept calls come along under the new session's id, and those of dropped calls do not", () => {
  const path = sessionFile(jsonl([prompt('p1', null), reply('a1', 'p1', 'm1', call('c1', 'Agent')), result('r1', 'a1', 'c1')]));
  const folder = join(path.replace('.jsonl', ''), 'subagents');
  mkdirSync(folder, { recursive: true });
  const agent = (id: string, toolUseId: string, lines: readonly Line[]) => {
    writeFileSync(join(folder, `agent-${id}.jsonl`), jsonl(lines));
    writeFileSync(join(folder, `agent-${id}.meta.json`), JSON.stringify({ agentType: 'x', toolUseId }));
  };
  agent('one', 'c1', [{ ...reply('s1', null, 'm8', call('c8', 'Agent')), isSidechain: true, agentId: 'one' }]);
  agent('inner', 'c8', [{ ...prompt('s2', null), isSidechain: true, agentId: 'inner' }]);
  agent('other', 'c9', [prompt('s3', null)]);
  const next = written(open(path), { through: 'm1' as MessageId });
  const carried = open(next).subagents;
  expect(carried.map(({ agentId, toolUseId }) => [agentId, toolUseId])).toEqual([
    ['inner', 'c8'],
    ['one', 'c1'],
  ]);
  expect(carried.flatMap((subagent) => linesOf(subagent.path)).map((line) => line.sessionId)).toEqual(Array(2).fill(open(next).session));
  expect(carried.every((subagent) => (statSync(subagent.path).mode & 0o777) === 0o600)).toBe(true);
});

test("[CNV-2] the client's copies of files come along when a kept line names them, and no name leads elsewhere", () => {
  const snapshot = (messageId: string, ...names: string[]): Line => ({
    type: 'file-history-snapshot',
    messageId,
    snapshot: { trackedFileBackups: Object.fromEntries(names.map((name) => [name, { backupFileName: name }])) },
  });
  const path = sessionFile(
    jsonl([prompt('p1', null), snapshot('p1', 'one@v1', '../secret', 'gone@v1'), prompt('p2', 'p1'), snapshot('p2', 'two@v1')]),
  );
  const history = join(dirname(path), '..', '..', 'file-history');
  mkdirSync(join(history, SESSION), { recursive: true });
  for (const name of [`${SESSION}/one@v1`, `${SESSION}/two@v1`, 'secret']) writeFileSync(join(history, name), name);
  write(open(path), { through: 'p1' as MessageId }, undefined, NEXT);
  expect(readdirSync(join(history, NEXT))).toEqual(['one@v1']);
  expect(readFileSync(join(history, NEXT, 'one@v1'), 'utf8')).toBe(`${SESSION}/one@v1`);
});

test('[CNV-1] a session that goes on meanwhile is written as it is now', () => {
  const path = sessionFile(jsonl(interrupted.slice(0, 4)));
  const transcript = open(path);
  writeFileSync(path, jsonl(interrupted));
  expect(idsOf(open(written(transcript, { through: 'm2' as MessageId })).current)).toEqual(['p1', 'm1', 'p2', 'm2']);
});

test('[REL-6] however lines refer to each other, what is written is consistent and has the messages of the branch', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const transcript = session(lines);
      for (const { id } of transcript.messages) {
        const continuation = write(transcript, { through: id });
        const kept = textsOf(transcript.branchTo(id));
        expect(continuation?.messages).toBe(kept.length);
        expectConsistent(continuation?.path ?? '', continuation?.session ?? '');
        const back = open(continuation?.path ?? '');
        // A compaction that names what follows it as preserved goes on doing so: its own words are not ours to change.
        const hadCircles = transcript.skipped.reasons.some((why) => /circles/.test(why));
        expect(back.skipped.lines).toBe(0);
        expect(back.skipped.reasons.filter((why) => !hadCircles || !/circles/.test(why))).toEqual([]);
        expect(textsOf(back.messages).sort()).toEqual(kept.sort());
      }
    }),
    { numRuns: 200 },
  );
});
