import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LineReader } from '../../src/transcript/line-reader.ts';
import fc from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { anyLines } from './arbitrary.ts';
import { idsOf, jsonl, type Line, open, prompt, reply, said, session, sessionFile, textsOf } from './support.ts';

const turn = [prompt('p1', null), reply('a1', 'p1', 'm1', said('one'))];

test('[REL-6] garbage between lines is left out and counted, and the lines around it are read', () => {
  const path = sessionFile(`${jsonl(turn.slice(0, 1))}\n{"type":\nnull\n[1]\n"text"\n\u0000\u0001\n${jsonl(turn.slice(1))}`);
  const transcript = open(path);
  expect(idsOf(transcript.current)).toEqual(['p1', 'm1']);
  expect(transcript.skipped).toEqual({ lines: 5, reasons: ['2 lines: not JSON', '3 lines: not a JSON object'] });
});

test('[REL-6] a torn last line is told, and read when it is completed', () => {
  const path = sessionFile(jsonl(turn).trimEnd().slice(0, -20));
  const transcript = open(path);
  expect(idsOf(transcript.messages)).toEqual(['p1']);
  expect(transcript.skipped.reasons).toEqual(['1 line: not written to its end yet']);
  appendFileSync(path, `${jsonl(turn).trimEnd().slice(-20)}\n`);
  transcript.refresh();
  expect(idsOf(transcript.messages)).toEqual(['p1', 'm1']);
  expect(transcript.skipped.lines).toBe(0);
});

test('[REL-6] ids that come twice, even in a circle, end no walk and lose no message', () => {
  const transcript = session([prompt('a', 'c'), prompt('b', 'a'), prompt('c', 'b'), prompt('a', null), prompt('self', 'self')]);
  expect(transcript.messages.map(({ id, parent }) => [id, parent])).toEqual([
    ['a', null],
    ['b', 'a'],
    ['c', 'b'],
    ['self', null],
  ]);
  expect(transcript.skipped).toEqual({
    lines: 1,
    reasons: ['1 line: its id was there before', '2 circles of lines that follow each other'],
  });
  expect(idsOf(transcript.current)).toEqual(['self']);
});

test('[REL-6] a line without the line it follows begins a branch', () => {
  const transcript = session([...turn, prompt('p2', 'nowhere')]);
  expect(transcript.messages.at(-1)).toMatchObject({ id: 'p2', parent: null });
  expect(transcript.skipped).toEqual({ lines: 0, reasons: ['1 without the line they follow'] });
});

test('[REL-6] a parent further down the file is found', () => {
  expect(idsOf(session([prompt('p2', 'a1'), ...turn]).branchTo('p2' as never))).toEqual(['p1', 'm1', 'p2']);
});

test('[REL-6] keys and ids that are traps are plain data', () => {
  const trap = `{"__proto__":{"uuid":"x"},"type":"user","uuid":"__proto__","parentUuid":null,"message":{"content":"hello"}}\n`;
  const input = `{"__proto__":{"polluted":true},"constructor":1}`;
  const asked = `{"type":"assistant","uuid":"../../x","parentUuid":"__proto__","message":{"id":"constructor","content":[{"type":"tool_use","id":"toString","name":"Bash","input":${input}}]}}\n`;
  const transcript = open(sessionFile(trap + asked));
  expect(transcript.current.map(({ id, text }) => [id, text])).toEqual([
    ['__proto__', 'hello'],
    ['constructor', ''],
  ]);
  expect(JSON.stringify(transcript.current[1]?.calls[0]?.input)).toBe(input);
  expect({}).not.toHaveProperty('polluted');
});

test('[REL-6] fields of the wrong type are passed over', () => {
  const odd: Line[] = [null, 1, [], {}, 'x', [null, 1, { type: 'tool_result' }, { type: 'text', text: 1 }]].map((message, index) => ({
    ...prompt(`p${index}`, null),
    type: index % 2 === 0 ? 'user' : 'assistant',
    message: index < 4 ? message : { content: message },
    timestamp: {},
    promptId: 7,
    origin: [],
  }));
  expect(session(odd).messages.map(({ text, at, promptId }) => [text, at, promptId])).toEqual([
    ['', null, null],
    ['', null, null],
    ['', null, null],
    ['', null, null],
    ['x', null, null],
    ['', null, null],
  ]);
});

test('[REL-6] values nested a hundred thousand deep are cut, not walked into', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const line = `{"type":"assistant","uuid":"a","parentUuid":null,"message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"X","input":${deep}}]}}\n`;
  expect(JSON.stringify(open(sessionFile(line)).messages[0]?.calls[0]?.input)).toContain('more in the session file');
});

test('[REL-6] a line of a hundred megabytes is left out and counted, wherever chunks end, and holds up no other line', () => {
  const path = sessionFile(jsonl(turn.slice(0, 1)));
  const part = 'x'.repeat(1 << 20);
  appendFileSync(path, '{"type":"user","uuid":"big","parentUuid":null,"message":{"content":"');
  for (let count = 0; count < 100; count++) appendFileSync(path, part);
  const torn = open(path);
  appendFileSync(path, `"}}\n${jsonl(turn.slice(1))}`);
  torn.refresh();
  for (const transcript of [torn, open(path)]) {
    expect(idsOf(transcript.current)).toEqual(['p1', 'm1']);
    expect(transcript.skipped).toEqual({ lines: 1, reasons: ['1 line: too long to read'] });
  }
});

test('[REL-6] an absurdly long text is cut and says so', () => {
  const [message] = session([prompt('p', null, 'y'.repeat(3_000_000))]).messages;
  expect(message?.text).toHaveLength((1 << 20) + '\n[… 1951424 more characters in the session file]'.length);
  expect(message?.text).toContain('1951424 more characters');
});

test('[REL-6] no file, and no plain file, is said', () => {
  const directory = temporaryDirectory();
  for (const path of [join(directory, 'none.jsonl'), directory])
    expect(() => open(path)).toThrow(expect.objectContaining({ code: 'transcript-missing' }));
});

test('[PRF-7] only new bytes are read: what was read is not looked at again', () => {
  const path = sessionFile(jsonl(turn));
  const reader = new LineReader(path);
  const seen: string[] = [];
  const listener = {
    restart: () => seen.push('restart'),
    line: ({ start, length }: { start: number; length: number }) => seen.push(`${start}+${length}`),
    oversized: () => seen.push('oversized'),
  };
  reader.read(listener);
  reader.read(listener);
  const before = seen.length;
  const size = Buffer.byteLength(jsonl(turn));
  appendFileSync(path, '{}\n{');
  reader.read(listener);
  appendFileSync(path, '}\n');
  reader.read(listener);
  expect(before).toBe(3);
  expect(seen.slice(before)).toEqual([`${size}+2`, `${size + 3}+2`]);
});

test('[PRF-7] a file that was replaced, shortened or written anew is read anew', () => {
  const path = sessionFile(jsonl(turn));
  const transcript = open(path);
  const afterWriting = (change: () => void): string[] => {
    change();
    transcript.refresh();
    return textsOf(transcript.messages);
  };
  expect(
    afterWriting(() => {
      writeFileSync(`${path}.new`, jsonl([...turn, prompt('p9', 'a1')]));
      renameSync(`${path}.new`, path);
    }),
  ).toEqual(['p1', 'one', 'p9']);
  expect(afterWriting(() => truncateSync(path, jsonl(turn).length))).toEqual(['p1', 'one']);
  expect(afterWriting(() => writeFileSync(path, jsonl([prompt('q', null, 'other '.repeat(200)), prompt('q2', 'q')])))).toHaveLength(2);
  rmSync(path);
  mkdirSync(path);
  expect(() => transcript.refresh()).toThrow(expect.objectContaining({ code: 'transcript-missing' }));
});

test('[REL-6] any bytes are a session file: nothing is thrown', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.json().map(utf8), fc.constant(utf8('\n')))), (parts) => {
      const transcript = open(sessionFile(Buffer.concat(parts)));
      expect(transcript.current.length).toBeLessThanOrEqual(transcript.messages.length);
      expect(transcript.skipped.lines).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 200 },
  );
});

const utf8 = (text: string): Buffer => Buffer.from(text);

test('[REL-6] however lines refer to each other, messages form a forest and the active branch ends', () => {
  fc.assert(
    fc.property(anyLines, (each) => {
      const { messages, current } = session(each);
      const known = new Set(idsOf(messages));
      expect(known.size).toBe(messages.length);
      for (const { parent } of messages) expect(parent === null || known.has(parent)).toBe(true);
      current.forEach((message, index) => {
        expect(message.parent).toBe(current[index - 1]?.id ?? null);
      });
    }),
    { numRuns: 200 },
  );
});

test('[PRF-7] read in any pieces, a file says the same', () => {
  fc.assert(
    fc.property(anyLines, fc.array(fc.nat(400), { maxLength: 6 }), (each, cuts) => {
      const bytes = utf8(jsonl(each));
      const path = sessionFile('');
      const growing = open(path);
      let done = 0;
      for (const cut of [...cuts, bytes.length]) {
        appendFileSync(path, bytes.subarray(done, done + cut));
        done += cut;
        growing.refresh();
      }
      const whole = session(each);
      expect([growing.messages, growing.current, growing.skipped]).toEqual([whole.messages, whole.current, whole.skipped]);
    }),
    { numRuns: 200 },
  );
});
