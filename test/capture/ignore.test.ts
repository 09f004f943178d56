import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { IgnoreRules, ignoresWithin, type RuleFile, type RulesIn } from '../../src/capture/ignore/rules.ts';
import { type ByteString, fromBytes, join, parent, type RelativePath, ROOT, toBytes } from '../../src/model/index.ts';
import fc, { runs } from '../support/property.ts';

const TIMES = runs(1, 4);
/** A failure may take minutes to shrink, and its seed must outlive that. */
const LONG = { timeout: 900_000 * TIMES };

interface Case {
  readonly ignoreCase: boolean;
  readonly globalExcludes: string;
  readonly infoExclude: string;
  /** The `.gitignore` of each directory that has one; all of these directories exist. */
  readonly gitignores: ReadonlyMap<string, string>;
}

const scratch = realpathSync(mkdtempSync(`${tmpdir()}/retake-ignore-`));
afterAll(() => rmSync(scratch, { recursive: true }));

const repository = `${scratch}/repository`;
const excludesFile = `${scratch}/excludes`;

const git = (args: readonly string[], input = ''): ByteString => {
  const run = spawnSync('git', ['-C', repository, ...args], {
    input: toBytes(input as ByteString),
    maxBuffer: 2 ** 30,
    env: { PATH: process.env.PATH, HOME: scratch, GIT_CONFIG_GLOBAL: `${scratch}/none`, GIT_CONFIG_NOSYSTEM: '1' },
  });
  if (run.error !== undefined || (run.status !== 0 && run.status !== 1))
    throw run.error ?? new Error(`git ${args.join(' ')}: ${run.stderr}`);
  return fromBytes(run.stdout);
};

mkdirSync(repository);
git(['init', '--quiet', '--template=']);
mkdirSync(`${repository}/.git/info`);

const gitVersion = /(\d+)\.(\d+)/.exec(git(['version'])) ?? [];
// From 2.52 on, git takes `**` after literal text (`a**/b`) for a single star; our rules are those of the gits before.
const gitDiffersOn = Number(gitVersion[1]) > 2 || Number(gitVersion[2]) >= 52 ? /[^/]\*\*/ : /(?!)/;

const onDisk = (path: string): Buffer => Buffer.concat([Buffer.from(`${repository}/`), toBytes(path as ByteString)]);

/** Makes the repository hold the rules of a case, and nothing else but `files` and `links` to a directory. */
const lay = (rules: Case, files: readonly string[] = [], links: readonly string[] = []): void => {
  for (const name of readdirSync(repository, { encoding: 'buffer' })) {
    if (name.toString() !== '.git') rmSync(onDisk(fromBytes(name)), { recursive: true });
  }
  writeFileSync(excludesFile, toBytes(rules.globalExcludes as ByteString));
  writeFileSync(`${repository}/.git/info/exclude`, toBytes(rules.infoExclude as ByteString));
  for (const [directory, text] of rules.gitignores) {
    mkdirSync(onDisk(directory), { recursive: true });
    writeFileSync(onDisk(join(directory as RelativePath, '.gitignore')), toBytes(text as ByteString));
  }
  const directories = new Set([...files, ...links].map((file) => parent(file as RelativePath)));
  for (const directory of directories) mkdirSync(onDisk(directory), { recursive: true });
  for (const file of files) writeFileSync(onDisk(file), '');
  for (const link of links) symlinkSync('.', onDisk(link));
};

const configuration = (rules: Case): string[] => ['-c', `core.excludesFile=${excludesFile}`, '-c', `core.ignoreCase=${rules.ignoreCase}`];

/** For each path, whether git would ignore it. Paths that do not exist count as files. */
const gitIgnores = (rules: Case, paths: readonly string[]): boolean[] => {
  // The `./` keeps names like `:(top)` from being read as pathspec magic.
  const input = paths.map((path) => `./${path}\0`).join('');
  const fields = git([...configuration(rules), 'check-ignore', '--no-index', '-z', '--stdin', '-v', '-n'], input).split('\0');
  return paths.map((path, index) => {
    const [source, , pattern, echo] = fields.slice(4 * index, 4 * index + 4);
    expect(echo).toBe(`./${path}`);
    return source !== '' && !pattern?.startsWith('!');
  });
};

const rulesOf = (rules: Case): RulesIn => {
  const file = (base: string, text: string): RuleFile => ({ base: base as RelativePath, text: text as ByteString });
  const weakest = IgnoreRules.of([file('', rules.globalExcludes), file('', rules.infoExclude)], rules);
  const known = new Map<string, IgnoreRules>();
  const rulesIn: RulesIn = (directory) => {
    const inherited = directory === ROOT ? weakest : (known.get(directory) ?? rulesIn(parent(directory)));
    const found = known.get(directory) ?? inherited.with(file(directory, rules.gitignores.get(directory) ?? ''));
    known.set(directory, found);
    return found;
  };
  return rulesIn;
};

interface Tally {
  compared: number;
  ignored: number;
}

const compare = (rules: Case, paths: readonly string[], directories: ReadonlySet<string>, tally: Tally): void => {
  lay(rules);
  const rulesIn = rulesOf(rules);
  const expected = gitIgnores(rules, paths);
  tally.compared += paths.length;
  tally.ignored += expected.filter(Boolean).length;
  const wrong = paths.filter((path, index) => ignoresWithin(rulesIn, path as RelativePath, directories.has(path)) !== expected[index]);
  const told = wrong.map((path) => ({ path, git: expected[paths.indexOf(path)], rules: rules.gitignores.get(path.split('/')[0] ?? '') }));
  expect(told).toEqual([]);
};

/** Each text becomes the only rule file of a directory of its own, to be asked about the same paths there. */
const compareApart = (texts: readonly string[], paths: readonly string[], ignoreCase: boolean, tally: Tally): void => {
  const gitignores = new Map(texts.map((text, index) => [`${index}`, text]));
  const below = texts.flatMap((_, index) => paths.map((path) => `${index}/${path}`));
  compare({ ignoreCase, globalExcludes: '', infoExclude: '', gitignores }, below, new Set(), tally);
};

/** A comparison of answers that are nearly all the same would prove little. */
const expectBothAnswers = ({ compared, ignored }: Tally): void => {
  expect(ignored / compared).toBeGreaterThan(0.05);
  expect(ignored / compared).toBeLessThan(0.95);
};

/** For many independent cases at once: the failure names those that are wrong, so shrinking would only take minutes. */
const PRECISE = { endOnFailure: true };

const ancestors = (path: string): string[] => [...path.matchAll(/\//g)].map((slash) => path.slice(0, slash.index));

/** Names that are hard for someone: each is a file name of one to a few bytes. */
const NAMES = [
  ...['a', 'b', 'ab', 'abc', 'aab', 'A', 'aB', 'c.o', 'C.O', '.a', 'a.b.c', '0', 'x1', 'z', '~', 'a b', 'a ', 'a  ', ' a', ' ', 'a\r'],
  ...['\r', 'a\nb', '\t', '\x0b', '\x7f', '\x01', '#a', '!a', '!', '#', '\\', 'a\\', '[a]', '[', ']', '-', '^', '*', '**', 'a*', '?'],
  ...[':', ':(top)a', '{a}', "'", '"', '@', '`', '_', '\xc3\xa9', '\xc3\x89', '\xe9', '\xc9', '\xff', '\x80a', 'a\xff', '\xef\xbb\xbfa'],
];

const CLASSES = [
  ...['[ab]', '[a-c]', '[!a]', '[^a]', '[A]', '[A-C]', '[a-C]', '[c-a]', '[]a]', '[!]a]', '[^]-]', '[a-]', '[-a]', '[--0]', '[a-c-z]'],
  ...['[\\]]', '[\\a-c]', '[a-\\c]', '[a\\-c]', '[\\', '[a', '[', '[]', '[!]', '[^', '[a-', '[a-\\', '[/]', '[!/]', '[.-0]', '[*]'],
  ...['[?]', '[[]', '[#]', '[[:alpha:]]', '[[:upper:]]', '[[:lower:]]', '[![:space:]]', '[[:punct:]]', '[[:cntrl:]]'],
  ...['[[:graph:][:blank:]]', '[[:print:]a]', '[[:alnum:]_-]', '[[:digit:]-z]', '[[:xdigit:]]', '[[:foo:]]', '[[:]', '[[::]]'],
  ...['[[:alpha]', '[[:alpha:', '[[:a]', '[a[:]b]', '[[.a.]]', '[\xc0-\xff]', '[\x80-\xff]', '[!\x80-\xff]', '[\xc3][\xa9]', '[\xff]'],
  ...['[\x01-\x1f]', '[ -~]'],
];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom(...'abAB.-*[] \\!\xe9\xc3'), minLength: 1, maxLength: 5 })
      .filter((text) => !/^\.{1,2}$/.test(text)),
  },
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const upperCase = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
const escaped = (text: string): string => text.replace(/[*?[\\!# ]/g, '\\$&');
const part = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 3, arbitrary: name.map(escaped) },
  { weight: 1, arbitrary: name.map((text) => text.replace(/./gs, '\\$&')) },
  { weight: 2, arbitrary: name.map(upperCase) },
  { weight: 2, arbitrary: name.map((text) => `*${text.slice(-1)}`) },
  { weight: 2, arbitrary: name.map((text) => `${text.slice(0, 1)}*`) },
  { weight: 4, arbitrary: fc.constantFrom('*', '**', '?', '??', '***', '*?', '?*', '*.*', '*a*', '\\*', '\\', '') },
  { weight: 3, arbitrary: fc.constantFrom(...CLASSES) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', 'A', '*', '**', '?', '\\', '\\/', ' ', '\xff', ...CLASSES), { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join('')),
  },
);
const often = (text: string, weight: number): fc.Arbitrary<string> =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant('') }, { weight, arbitrary: fc.constant(text) });

const pattern = fc
  .tuple(
    often('!', 3),
    often('/', 2),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    often('/', 2),
    fc.oneof({ weight: 8, arbitrary: fc.constant('') }, fc.constantFrom(' ', '  ', '\\ ', '\\  ', ' \\', '\\\\ ', '\t', '/', '\0b')),
    often('\r', 1),
  )
  .map(([bang, slash, parts, end, spaces, cr]) => bang + slash + parts.join('/') + end + spaces + cr);
const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  fc.constantFrom('', '# a', '#', ' ', '!', '/', '//', '!/', '\r', '*', '!*', '!*/', '\\'),
);
const ruleText = fc
  .tuple(often('\xef\xbb\xbf', 1), fc.array(line, { maxLength: 8 }), often('\n', 7))
  .map(([bom, lines, end]) => bom + lines.filter((text) => !gitDiffersOn.test(text)).join('\n') + end);

const anyRules: fc.Arbitrary<Case> = fc
  .record({
    ignoreCase: fc.boolean(),
    globalExcludes: ruleText,
    infoExclude: ruleText,
    top: ruleText,
    nested: fc.array(fc.tuple(path, ruleText), { maxLength: 3 }),
  })
  .map(({ top, nested, ...rest }) => ({ ...rest, gitignores: new Map([['', top], ...nested]) }));

/** Rule files that are easily got wrong; what is right is asked of git itself. */
const TRICKY = [
  ...['a**/b', 'a/b**', '**/a', '**/**/a', '**a/b', 'a/**', 'a/**/b', 'a/**\\/b', 'a\\/**/b', '/**', '**/', '***/a', '**/a*b/**/c?'],
  ...['*/b', '*/*', 'a/*/b*/**/c', '/a', 'a/', '//a', 'a//', 'a//b', '/', 'a[/]b', 'a[!b]c', 'a?b', '*a*b*c', 'c/*a*b', '*.[!o]', 'a '],
  ...['a\\ ', 'a\\  ', 'a \\', 'a\\\\ ', 'a\t', 'a\r', 'a\r\r\n', 'a \r\nb', '\r\n\r', 'a\0b\nb', '\xef\xbb\xbfa', 'a\n\xef\xbb\xbfb'],
  ...['#a', '\\#a', '\\!a', ' #a', '*\n!a', '*\n!!a', '*\n!', 'a/*\n!a/b', 'a\n!a/b', 'a/\n!a', '!a\na', 'a\\', 'a\\/', '\\a\\b', '\\A'],
  ...['A*B', '\xc9', '\xc3\x89*', '?', '*\xff'],
];
const TRICKED = [
  ...['a', 'b', 'ab', 'aab', 'bc', 'ba', 'a/b', 'aa/b', 'ba/b', 'a/c/b', 'a/c/d/b', 'a/cb', 'c/ab', 'c/ba/b', 'a/bc', 'a/bc/d', 'a/b/c'],
  ...['a/x/b/c', 'a/x/bb/y/z/c', 'ab/cc', 'x/aab/y/c1', 'x/acb/c', 'adc', 'a/c', 'acb', 'abc', 'aabbcc', 'xaxbxcx', 'c/aab', 'c/ab/b'],
  ...['c/ba', 'a.o', 'a.c', 'a.', 'a..', 'a./c', 'a[/]b', 'a ', 'a  ', 'a\\', 'a\\ ', 'a \\', 'a\\/b', '\\a\\b', 'a\t', '\r', 'a\r'],
  ...['a\r\r', 'a \r', '#a', '\\#a', ' #a', '!a', '!', '\xef\xbb\xbfa', '\xef\xbb\xbfb', '\xe9', '\xc9', '\xc3\xa9', '\xc3\x89a', '\xff'],
  ...['a\xff', '\xffa'],
];

describe('ignore rules are git’s', () => {
  test.each([false, true])('[CAP-2] the tricky cases, ignoreCase %s', (ignoreCase) => {
    const paths = [...new Set([...TRICKED, ...TRICKED.map(upperCase)])];
    const texts = TRICKY.filter((text) => !gitDiffersOn.test(text));
    const tally = { compared: 0, ignored: 0 };
    compareApart(texts, paths, ignoreCase, tally);
    expectBothAnswers(tally);
  });

  test.each([false, true])('[CAP-2] each byte in each bracket expression, ignoreCase %s', (ignoreCase) => {
    const bytes = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)).filter((byte) => byte !== '/' && byte !== '.');
    const tally = { compared: 0, ignored: 0 };
    compareApart(CLASSES, bytes, ignoreCase, tally);
    expectBothAnswers(tally);
  });

  test('[CAP-2] any rules in any place, any path', LONG, () => {
    const tally = { compared: 0, ignored: 0 };
    const property = fc.property(anyRules, fc.array(path, { minLength: 60, maxLength: 120 }), (rules, random) => {
      const places = [...rules.gitignores.keys()];
      const directories = new Set(places.flatMap((directory) => [...ancestors(directory), directory]).filter(Boolean));
      const below = places.flatMap((directory) => random.map((file) => join(directory as RelativePath, file)));
      compare(rules, [...new Set([...random, ...below, ...directories])], directories, tally);
    });
    fc.assert(property, { numRuns: 100 * TIMES });
    expectBothAnswers(tally);
  });

  test('[CAP-2] one pattern at a time, over so few letters that each of its turns is taken', LONG, () => {
    const units = ['**', '**/', '/**', '/**/', '\\a', '\\A', '\\/', '[ab]', '[!a]', '[A-B]', '[A]', '*/', '*a', '?b'];
    const glob = fc
      .array(fc.constantFrom(...'aabbA.*?/', ...units), { minLength: 1, maxLength: 8 })
      .map((chosen) => chosen.join(''))
      .filter((text) => !gitDiffersOn.test(text));
    const parts = fc.constantFrom('a', 'b', 'A', 'ab', 'ba', 'aa', 'bb', 'B', 'aab', 'abb', '.a', 'a.b');
    const paths = fc.array(
      fc.array(parts, { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join('/')),
      { minLength: 40, maxLength: 40 },
    );
    const tally = { compared: 0, ignored: 0 };
    const property = fc.property(fc.boolean(), fc.array(glob, { minLength: 80, maxLength: 80 }), paths, (ignoreCase, globs, files) => {
      compareApart(globs, files, ignoreCase, tally);
    });
    fc.assert(property, { numRuns: 8 * TIMES, ...PRECISE });
    expectBothAnswers(tally);
  });

  test('[CAP-2] of several patterns about the same names the last decides, whatever their kinds', LONG, () => {
    const bodies = [
      ...['a', 'b', 'ab', '*a', '*b', '*ab', 'a*', '?', '[ab]', '*'],
      ...['/a', '/ab', '/a*', '/*b', 'a/b', 'a/*', '*/b', '**/b', '**/a*'],
    ];
    const rule = fc.tuple(often('!', 5), fc.constantFrom(...bodies), often('/', 3)).map((pieces) => pieces.join(''));
    const text = fc.array(rule, { minLength: 2, maxLength: 8 }).map((lines) => lines.join('\n'));
    const paths = ['a', 'b', 'ab', 'c'].flatMap((first) => [first, ...['a', 'b', 'ab', 'c'].map((second) => `${first}/${second}`)]);
    const tally = { compared: 0, ignored: 0 };
    const property = fc.property(fc.array(text, { minLength: 150, maxLength: 150 }), (texts) => {
      compareApart(texts, paths, false, tally);
    });
    fc.assert(property, { numRuns: 5 * TIMES, ...PRECISE });
    expectBothAnswers(tally);
  });

  test('[CAP-2] a walk finds the files that git finds', LONG, () => {
    const tally = { compared: 0, ignored: 0 };
    const property = fc.property(anyRules, fc.array(path, { minLength: 30, maxLength: 60 }), (rules, random) => {
      const ruleFiles = [...rules.gitignores.keys()].map((directory) => join(directory as RelativePath, '.gitignore') as string);
      const directories = new Set([...random, ...ruleFiles].flatMap(ancestors));
      const plain = [...new Set(random)].filter((file) => !directories.has(file));
      const links = plain.filter((_, index) => index % 5 === 0);
      const files = plain.filter((_, index) => index % 5 !== 0);
      lay(rules, files, links);
      const entries = new Set([...files, ...links, ...ruleFiles, ...directories]);

      const walk = (directory: RelativePath, inherited: IgnoreRules): string[] => {
        const rulesHere = inherited.with({ base: directory, text: (rules.gitignores.get(directory) ?? '') as ByteString });
        const here = [...entries].filter((entry) => parent(entry as RelativePath) === directory) as RelativePath[];
        const kept = here.filter((entry) => !rulesHere.ignores(entry, directories.has(entry)));
        return kept.flatMap((entry) => (directories.has(entry) ? walk(entry, rulesHere) : [entry]));
      };
      const weakest = [rules.globalExcludes, rules.infoExclude].map((text) => ({ base: ROOT, text: text as ByteString }));
      const listed = git([...configuration(rules), 'ls-files', '--others', '--exclude-standard', '-z'])
        .split('\0')
        .slice(0, -1);
      tally.compared += entries.size - directories.size;
      tally.ignored += entries.size - directories.size - listed.length;
      expect(walk(ROOT, IgnoreRules.of(weakest, rules)).sort()).toEqual(listed.sort());
    });
    fc.assert(property, { numRuns: 30 * TIMES });
    expectBothAnswers(tally);
  });
});
