import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Hands, play } from './play.ts';
import { all, alone, BOTTOM, directory, edit, file, gone, link, mode, TOP, text, type Work } from './works.ts';

/** Two hands, neither of which depends on what the other did. */
interface Kind {
  readonly start: Work;
  readonly one: Work;
  readonly other: Work;
  /** The only file that each changes, where a tool could be limited to it. */
  readonly files?: readonly [one: string, other: string];
}

/** One at the top of a text, the other at its bottom. */
const ends = (content: string, bits?: number): Kind => ({
  start: file('f', content, bits),
  one: edit('f', TOP),
  other: edit('f', BOTTOM),
  files: ['f', 'f'],
});
const named = (name: Buffer): Kind => {
  const at = (root: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), name]);
  return { start: (root) => writeFileSync(at(root), text()), one: edit(name, TOP), other: edit(name, BOTTOM) };
};
const LARGE = Array.from({ length: 200_000 }, (_, at) => `line ${at} of a large file`);

const KINDS: Readonly<Record<string, Kind>> = {
  plain: ends(text()),
  CRLF: ends(text('\r\n')),
  'no newline at the end': ends(text('\n', '')),
  'a newline added at the end': { ...ends(text('\n', '')), other: edit('f', (content) => `${content}\n`) },
  'a newline dropped at the end': { ...ends(text()), other: edit('f', (content) => content.slice(0, -1)) },
  'tabs for spaces': {
    ...ends(text().replaceAll('t', '  t')),
    other: edit('f', (content) => content.replace(/ {2}three$/m, '\tthree')),
  },
  '5 MB': ends(`one\n${LARGE.join('\n')}\nsix\n`),
  'lines added at both ends': {
    ...ends(text()),
    one: edit('f', (content) => `zero\n${content}`),
    other: edit('f', (content) => `${content}seven\n`),
  },
  'a file of one line and its mode': {
    start: file('f', 'one\n'),
    one: edit('f', TOP),
    other: mode('f', 0o755),
    files: ['f', 'f'],
  },
  'an empty file and its mode': {
    start: file('f', ''),
    one: file('f', 'filled\n'),
    other: mode('f', 0o600),
    files: ['f', 'f'],
  },
  'binary and its mode': {
    start: file('f', '\0one\n'),
    one: edit('f', TOP),
    other: mode('f', 0o444),
    files: ['f', 'f'],
  },
  '0600': ends(text(), 0o600),
  'an executable': ends(text(), 0o755),
  'a name with a newline': { ...named(Buffer.from('new\nline')), files: ['new\nline', 'new\nline'] },
  'a name that is not UTF-8': named(Buffer.from('bad\xff\xfe', 'latin1')),
  'files beside each other': { start: file('d/f', 'f'), one: file('d/one', '1'), other: file('d/other', '2'), files: ['d/one', 'd/other'] },
  'deleted and made': { start: all(file('f', 'f'), file('g', 'g')), one: gone('f'), other: all(gone('g'), file('h', 'h', 0o640)) },
  'a file in a new directory': {
    start: file('f', 'f'),
    one: file('new/deep/one', '1'),
    other: file('other', '2'),
    files: ['new/deep/one', 'other'],
  },
  'a new directory that both use': {
    start: file('f', 'f'),
    one: file('new/deep/one', '1'),
    other: file('new/other', '2'),
    files: ['new/deep/one', 'new/other'],
  },
  'an empty directory': { start: file('f', 'f'), one: directory('empty/deep'), other: directory('empty too') },
  'an empty directory in a new one': {
    start: file('f', 'f'),
    one: file('new/one', '1'),
    other: directory('new/empty'),
    files: ['new/one', 'new/empty'],
  },
  'a directory emptied': { start: all(file('d/f', 'f'), file('d/g', 'g')), one: gone('d/f'), other: gone('d/g'), files: ['d/f', 'd/g'] },
  'a link led elsewhere': {
    start: all(link('l', 'a'), file('a', text())),
    one: link('l', 'b'),
    other: edit('a', BOTTOM),
    files: ['l', 'a'],
  },
  'a file made a link': { start: all(file('f', 'f'), file('g', text())), one: link('f', 'g'), other: edit('g', TOP) },
  'a directory made a file': {
    start: all(file('d/f', 'f'), file('g', text())),
    one: all(gone('d'), file('d', 'file')),
    other: edit('g', TOP),
    files: ['d', 'g'],
  },
  'a file made a directory': {
    start: all(file('d', 'd'), file('g', text())),
    one: all(gone('d'), file('d/f', 'f')),
    other: edit('g', BOTTOM),
  },
  'directory modes': { start: all(file('d/f', text()), mode('d', 0o755)), one: mode('d', 0o700), other: edit('d/f', TOP) },
  'a moved directory beside': {
    start: all(file('d/f', text()), file('g', text())),
    one: (root) => renameSync(join(root, 'd'), join(root, 'e')),
    other: edit('g', TOP),
  },
};

/** Both may be the agent. One that runs while the person acts can be told apart only if it names its file. */
const handsOf = ({ one, other, files }: Kind): Hands[] => {
  const sides = [
    { agent: one, mine: other, file: files?.[0] },
    { agent: other, mine: one, file: files?.[1] },
  ];
  return sides.flatMap(({ file, ...hands }): Hands[] => [
    { ...hands, call: {}, when: 'before' },
    { ...hands, call: { file }, when: 'after' },
    ...(files === undefined || files[0] === files[1] ? [] : [{ ...hands, call: { file }, when: 'during' as const }]),
  ]);
};

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  test('[RST-9] [RST-10] without the agent there is what the person did, and undo is exact', async () => {
    for (const hands of handsOf(kind)) {
      const left = alone(kind.start, hands.mine);
      const at = await play(kind.start, hands);
      const now = at.look();
      for (const goBack of [() => at.revert('t1'), () => at.keepMine('t1')]) {
        await goBack();
        expect(at.look(), hands.when).toEqual(left);
        await at.undo();
        expect(at.look(), hands.when).toEqual(now);
      }
    }
  });
});
