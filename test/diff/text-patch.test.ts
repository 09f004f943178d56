import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileChange, type FileMode, type PatchOptions, renderPatch } from '../../src/diff/text/index.ts';
import { compareBytes, type ObjectId, parent, type RelativePath, toBytes } from '../../src/model/index.ts';
import fc from '../support/property.ts';
import { oddEnd, oddLine } from './odd-lines.ts';

/** What is at a path: nothing, or a file or link with its content. */
type Entry = { readonly mode: FileMode; readonly content: Buffer } | null;
interface Case {
  readonly path: RelativePath;
  readonly before: Entry;
  readonly after: Entry;
}

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'retake-patch-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const git = (cwd: string, args: readonly string[], input?: Buffer): Buffer =>
  execFileSync('git', args, {
    cwd,
    input,
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });

const newRepository = (): string => {
  const root = mkdtempSync(join(directory, 'repository-'));
  git(root, ['init', '--quiet', '--template=']);
  return root;
};

const onDisk = (root: string, path: RelativePath): Buffer => Buffer.concat([Buffer.from(`${root}/`), toBytes(path)]);

const put = (root: string, path: RelativePath, entry: Entry): void => {
  const place = onDisk(root, path);
  rmSync(place, { force: true });
  if (entry === null) return;
  mkdirSync(onDisk(root, parent(path)), { recursive: true });
  if (entry.mode === '120000') symlinkSync(entry.content, place);
  else {
    writeFileSync(place, entry.content);
    chmodSync(place, entry.mode === '100755' ? 0o755 : 0o644);
  }
};

const taken = (root: string, path: RelativePath): Entry => {
  const place = onDisk(root, path);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return { mode: '120000', content: readlinkSync(place, 'buffer') };
  return { mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', content: readFileSync(place) };
};

const idOf = (content: Buffer): ObjectId => createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex') as ObjectId;

const statusOf = ({ before, after }: Case): FileChange['status'] => {
  if (before === null) return 'added';
  if (after === null) return 'deleted';
  if ((before.mode === '120000') !== (after.mode === '120000')) return 'type';
  return before.content.equals(after.content) ? 'mode' : 'modified';
};

const patchOf = (cases: readonly Case[], ids: boolean, options: PatchOptions = {}): Buffer =>
  Buffer.concat(
    cases.map((one) => {
      const { path, before, after } = one;
      const change = {
        path,
        status: statusOf(one),
        before: before?.content ?? null,
        after: after?.content ?? null,
        ...(before && { oldMode: before.mode, ...(ids && { oldId: idOf(before.content) }) }),
        ...(after && { newMode: after.mode, ...(ids && { newId: idOf(after.content) }) }),
      };
      return renderPatch(change, options);
    }),
  );

/** Any bytes a name may have; the number in front keeps names apart and away from those that git refuses. */
const name = fc.uint8Array({ min: 1, max: 255, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll('/', ' '));
const oddName = fc.oneof(name, fc.constantFrom('plain.ts', 'two words', ' "quoted"', 'back\\slash', 'é', 'tab\t', 'line\nbreak', ' -> b'));

const versions = fc
  .tuple(fc.array(fc.tuple(fc.constantFrom('both', 'both', 'both', 'old', 'new'), oddLine), { maxLength: 40 }), oddEnd, oddEnd)
  .map(([lines, oldEnd, newEnd]) => {
    const side = (without: string, end: string) =>
      Buffer.from(`${lines.map(([where, line]) => (where === without ? '' : line)).join('')}${end}`, 'latin1');
    return [side('new', oldEnd), side('old', newEnd)] as const;
  });

const fileMode = fc.constantFrom<FileMode>('100644', '100755');
const target = fc.uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 30 }).map((bytes) => Buffer.from(bytes));
const link = target.map((content) => ({ mode: '120000', content }) as const);
const file = fc.tuple(fileMode, versions).map(([mode, [content]]) => ({ mode, content }));
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fileMode, fileMode, versions).map(([a, b, [x, y]]) => [
      { mode: a, content: x },
      { mode: b, content: y },
    ]),
  },
  fc.tuple(fc.constant(null), fc.oneof(file, link)),
  fc.tuple(fc.oneof(file, link), fc.constant(null)),
  fc.tuple(file, link),
  fc.tuple(link, file),
  fc.tuple(link, link),
);

const cases = fc
  .array(fc.tuple(fc.constantFrom('', 'directory/', 'od d\xff/'), oddName, change), { minLength: 80, maxLength: 80, size: 'max' })
  .map((all) =>
    all.map(([folder, text, [before, after]], at): Case => ({ path: `${folder}${at}${text}` as RelativePath, before, after }) as Case),
  );

describe('renderPatch', () => {
  test.each([true, false])('[UI-1] git apply takes the patch and makes the same bytes (with ids: %s)', (ids) => {
    fc.assert(
      fc.property(cases, (all) => {
        const root = newRepository();
        for (const { path, before } of all) put(root, path, before);
        git(root, ['apply', '--whitespace=nowarn', '-'], patchOf(all, ids));
        for (const { path, after } of all) expect(taken(root, path)).toEqual(after);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  test('[UI-1] patches applied in reverse bring the old bytes back', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const root = newRepository();
        for (const { path, after } of all) put(root, path, after);
        git(root, ['apply', '--whitespace=nowarn', '--reverse', '-'], patchOf(all, true));
        for (const { path, before } of all) expect(taken(root, path)).toEqual(before);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  /** Both sides as trees of one repository, and what git says about them. */
  const sayings = (all: readonly Case[]): { root: string; patch: Buffer } => {
    const root = newRepository();
    const trees = (['before', 'after'] as const).map((side) => {
      for (const one of all) put(root, one.path, one[side]);
      git(root, ['add', '--all']);
      return git(root, ['write-tree']).toString().trim();
    });
    return { root, patch: git(root, ['diff', '--full-index', '--minimal', '--no-renames', ...trees]) };
  };

  test('[UI-1] the patch is the one git makes, byte by byte', () => {
    const numbered = Array.from({ length: 30 }, (_, at) => `${at % 7 === 0 ? 'section' : '  line'} ${at}\n`);
    const moved = fc.tuple(fc.subarray(numbered), fc.oneof(fc.shuffledSubarray(numbered), fc.subarray(numbered)), fc.boolean());
    const one = fc.tuple(oddName, fileMode, fileMode, moved).map(([text, a, b, [x, y, end]]) => ({
      text,
      before: { mode: a, content: Buffer.from(x.join('').slice(0, end ? undefined : -1)) },
      after: { mode: b, content: Buffer.from(y.join('')) },
    }));
    fc.assert(
      fc.property(fc.array(one, { minLength: 60, maxLength: 60, size: 'max' }), (all) => {
        const sorted = all
          .map(({ text, before, after }, at) => ({ path: `${at}${text}` as RelativePath, before, after }))
          .sort((a, b) => compareBytes(a.path, b.path));
        expect(patchOf(sorted, true).toString('latin1')).toBe(sayings(sorted).patch.toString('latin1'));
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  const f = (text: string, mode: FileMode = '100644') => ({ mode, content: Buffer.from(text) });
  const l = (text: string) => f(text, '120000');
  const functions = (...names: string[]) => f(names.map((each) => `function ${each}() {\n  if (x) {\n    ${each}();\n  }\n}\n`).join('\n'));
  const EXAMPLES: Record<string, readonly [Entry, Entry]> = {
    'a function put between two others': [functions('a', 'c'), functions('a', 'b', 'c')],
    'a function put in front': [functions('b', 'c'), functions('a', 'b', 'c')],
    'the last function taken away': [functions('a', 'b', 'c'), functions('a', 'b')],
    'two functions exchanged': [functions('a', 'b', 'c', 'd'), functions('a', 'c', 'b', 'd')],
    'one of many equal lines': [f('x\n'.repeat(20)), f('x\n'.repeat(19))],
    'equal lines among others': [f('a\nb\nb\nb\nc\n'), f('a\nb\nb\nb\nb\nd\n')],
    'distant changes': [functions(...'abcdefgh'), functions(...'abxdefgy')],
    'the final newline gone': [f('a\nb\n'), f('a\nb')],
    'the final newline come': [f('a\nb'), f('a\nb\n')],
    'no final newline on either side': [f('a\nb'), f('c\nb')],
    'an empty file added': [null, f('')],
    'an empty file deleted': [f(''), null],
    'an empty file filled': [f(''), f('a\n')],
    'a file emptied': [f('a\n'), f('')],
    'made executable': [f('a\n'), f('a\n', '100755')],
    'made executable and changed': [f('a\n'), f('b\n', '100755')],
    'an executable changed': [f('a\n', '100755'), f('b\n', '100755')],
    'a link moved': [l('a'), l('b')],
    'a link added': [null, l('a')],
    'a file become a link': [f('a\n'), l('a')],
    'a link become an empty file': [l('a'), f('')],
    'binary changed': [f('\0a'), f('\0b')],
    'binary added': [null, f('\0a')],
    'binary deleted': [f('\0a'), null],
    'binary become text': [f('\0a'), f('a\n')],
    'a NUL too late to count': [f(`${'x'.repeat(8000)}\n\0\na\n`), f(`${'x'.repeat(8000)}\n\0\nb\n`)],
    'not UTF-8': [f('\xff\n'), { mode: '100644', content: Buffer.from([0xff, 0x0a]) }],
  };

  test('[UI-1] examples read as git writes them, and binary ones apply where git has the blob', () => {
    const all = Object.entries(EXAMPLES)
      .map(([text, [before, after]]) => ({ path: text as RelativePath, before, after }))
      .sort((a, b) => compareBytes(a.path, b.path));
    const { root, patch } = sayings(all);
    expect(patchOf(all, true).toString('latin1')).toBe(patch.toString('latin1'));
    for (const { path, before } of all) put(root, path, before);
    git(root, ['apply', '--whitespace=nowarn', '-'], patchOf(all, true));
    for (const { path, after } of all) expect(taken(root, path)).toEqual(after);
  });

  test('[API] with their bytes, binary files of any length apply where git has never heard of them, and back', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((some) => Buffer.from([0, ...some])),
      fc.constant(Buffer.alloc(70_000)),
      fc.constant(Buffer.from('text\n')),
    );
    const entry = fc.option(bytes.map((content) => ({ mode: '100644' as const, content })));
    const pairs = fc.array(fc.tuple(entry, entry), { minLength: 100, maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(pairs, (all) => {
        const changed = all
          .map(([before, after], at): Case => ({ path: `file ${at}` as RelativePath, before, after }))
          .filter(({ before, after }) => before?.content.toString('latin1') !== after?.content.toString('latin1'));
        const root = newRepository();
        for (const { path, before } of changed) put(root, path, before);
        const patch = patchOf(changed, true, { binary: true });
        git(root, ['apply', '-'], patch);
        for (const { path, after } of changed) expect(taken(root, path)).toEqual(after);
        git(root, ['apply', '--reverse', '-'], patch);
        for (const { path, before } of changed) expect(taken(root, path)).toEqual(before);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  test('what git can not say is an empty patch, and content that is missing is an error', () => {
    const path = 'a' as RelativePath;
    expect(renderPatch({ path, status: 'mode', before: null, after: null })).toHaveLength(0);
    expect(renderPatch({ path, status: 'modified', before: Buffer.from('a'), after: Buffer.from('a') })).toHaveLength(0);
    expect(() => renderPatch({ path, status: 'modified', before: null, after: Buffer.from('a') })).toThrow(/content/);
  });
});
