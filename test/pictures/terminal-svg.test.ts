import { expect, test } from 'vitest';
import { readAnsi } from '../../scripts/pictures/ansi.ts';
import { recordingSvg, terminalSvg } from '../../scripts/pictures/terminal-svg.ts';

const picture = (text: string, columns?: number): string =>
  terminalSvg({ title: 'shop', text, ...(columns === undefined ? {} : { columns }) });

test('[UI-1] pictures: colours and styles of a terminal are read as terminals do', () => {
  expect(readAnsi('a\u001b[1;33mb\u001b[0mc')[0]).toEqual([
    { text: 'a', column: 0, width: 1, look: {} },
    { text: 'b', column: 1, width: 1, look: { isBold: true, colour: 3 } },
    { text: 'c', column: 2, width: 1, look: {} },
  ]);
  const looks = (codes: string) => readAnsi(`\u001b[${codes}mx`)[0]?.[0]?.look;
  expect(looks('38;5;196')).toEqual({ colour: '#ff0000' });
  expect(looks('38;2;1;2;3;48;5;250')).toEqual({ colour: '#010203', background: '#bcbcbc' });
  expect(looks('31;92;39')).toEqual({});
  expect(looks('2;22;7')).toEqual({ isBold: false, isDim: false, isInverse: true });
});

test('[UI-1] pictures: what follows wide characters stands where a terminal has it, and a colour goes on in the next row', () => {
  const [first, second] = readAnsi('\u001b[32m茶 tea\u001b]8;;x\u0007\u001b[2K\u001b[31m!\nmore');
  expect(first?.map(({ text, column }) => [text, column])).toEqual([
    ['茶 tea', 0],
    ['!', 6],
  ]);
  expect(second).toMatchObject([{ text: 'more', look: { colour: 1 } }]);
});

test('[UI-1] pictures: names and prompts are inert, and a row that is too long ends in an ellipsis', () => {
  const svg = picture('<script>alert("1")</script> & more\u0000\u001b[31m than fits', 40);
  expect(svg).not.toMatch(/<script/);
  expect(svg).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more');
  expect(svg).toMatch(/>than…<|>th…<|>tha…<|>t…</);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
  expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('[UI-1] pictures: a recording shows its scenes in turn, in one size', () => {
  const svg = recordingSvg(
    'two',
    [
      { title: 'a', text: 'one' },
      { title: 'b', text: 'a much longer\nscene' },
    ],
    5,
  );
  expect(svg.match(/<g class="s"/g)).toHaveLength(2);
  expect(svg).toContain('s 10s step-end infinite');
  expect(svg).toContain('animation-delay:5s');
  expect(svg).toContain('prefers-reduced-motion');
});
