import { common, createLowlight } from 'lowlight';
import { expect, test } from 'vitest';
import type { DiffHunk } from '../../src/web/client/types.ts';
import { Colours, type Highlight, tokensByLine } from '../../src/web/diff/colours.ts';
import { numberLines } from '../../src/web/diff/hunks.ts';
import { languageOf } from '../../src/web/diff/language.ts';
import { hunksOf } from './diff-made.ts';

const lowlight = createLowlight(common);
const highlight: Highlight = (language, text) => lowlight.highlight(language, text) as ReturnType<Highlight>;

const coloured = (language: string, text: string): string[][] =>
  tokensByLine(highlight(language, text)).map((tokens, at) =>
    tokens.map(({ from, to, colour }) => `${text.split('\n')[at]?.slice(from, to)}:${colour}`),
  );

test('[UI-4] words have the colour of what they are, line by line', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the text that is coloured
  expect(coloured('typescript', "const a: number = 1; // one\nf(`x ${a}\ny`, 'z');")).toEqual([
    ['const:keyword', 'a:meta', 'number:type', '1:number', '// one:comment'],
    ['f:title', '`x :string'],
    ['y`:string', "'z':string"],
  ]);
  expect(coloured('json', '{"a": true}')[0]).toContain('"a":meta');
  expect(coloured('xml', '<p class="x">')[0]).toEqual(['p:title', 'class:meta', '"x":string']);
});

test('[UI-4] there is a grammar for every language that a name can mean', () => {
  const names =
    'ino sh c cpp cs css diff go gql ini java js json kt less lua mk md m pl php py r rb rs scss sql swift ts vb wat html yml'.split(' ');
  for (const name of names) expect(lowlight.registered(languageOf(`x.${name}`) ?? '')).toBe(true);
});

test('[UI-4] each side of a hunk is coloured by itself, over all its lines', () => {
  const hunks = hunksOf('a();\n/* one\ntwo */\nb();\n', 'a();\n/* one\n2\ntwo */\nb();\n');
  const colours = new Colours(highlight, 'typescript', hunks);
  const kinds = numberLines(hunks[0] as DiffHunk).map((line) => colours.of(0, line).map(({ colour }) => colour));
  expect(kinds).toEqual([['title'], ['comment'], ['comment'], ['comment'], ['title']]);
});

test('[UI-4] a long hunk is coloured piece by piece, as it is looked at', () => {
  const text = (name: string): string => Array.from({ length: 5000 }, (_, at) => `let ${name}${at} = ${at};\n`).join('');
  const asked: number[] = [];
  const counting: Highlight = (language, code) => {
    asked.push(code.split('\n').length);
    return highlight(language, code);
  };
  const hunks = hunksOf(text('a'), text('b'));
  const colours = new Colours(counting, 'typescript', hunks);
  const all = numberLines(hunks[0] as DiffHunk);
  const last = all.at(-1) as (typeof all)[number];
  expect(colours.of(0, last).map(({ colour }) => colour)).toEqual(['keyword', 'number']);
  expect(colours.of(0, all.at(-2) as (typeof all)[number])).toHaveLength(2);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toBeLessThan(1000);
});

test('[UI-4] files with very long lines have no colours', () => {
  const hunks = hunksOf('', `let a = 1;\nlet b = "${'x'.repeat(2000)}";\n`);
  const colours = new Colours(highlight, 'typescript', hunks);
  expect(numberLines(hunks[0] as DiffHunk).map((line) => colours.of(0, line))).toEqual([[], []]);
});
