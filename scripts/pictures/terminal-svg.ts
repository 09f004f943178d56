import { columnsOf, type Look, type Piece, type Row, readAnsi } from './ansi.ts';

/** What a terminal shows: any text with colours, such as a command's output or `tmux capture-pane -ep`. */
export interface Shown {
  /** In the bar above it. */
  readonly title: string;
  readonly text: string;
  /** As wide as the terminal; else as wide as its longest row. */
  readonly columns?: number;
}

const SIZE = 14;
const WIDTH = 8.4;
const HEIGHT = 20;
const MARGIN = 18;
const BAR = 36;

const GROUND = '#0d1117';
const TEXT = '#e6edf3';
/** black, red, green, yellow, blue, magenta, cyan, white; then the bright ones. */
const PALETTE = [
  ['#484f58', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#c9d1d9'],
  ['#6e7681', '#ffa198', '#aff5b4', '#f2cc60', '#a5d6ff', '#e2c5ff', '#b3f0ff', '#ffffff'],
].flat();

/** A picture of a terminal. */
export const terminalSvg = (shown: Shown): string => {
  const frame = framed(shown);
  return document(frame.width, frame.height, shown.title, '', frame.body);
};

/** One picture that shows several terminals after each other, over and over, each for so many seconds. */
export const recordingSvg = (title: string, scenes: readonly Shown[], seconds: number): string => {
  const columns = Math.max(...scenes.map(widest));
  const frames = scenes.map((scene) => framed({ ...scene, columns }));
  const height = Math.max(...frames.map((frame) => frame.height));
  const share = 100 / scenes.length;
  // Each is seen for its share of the time. Who wants no motion sees the first one.
  const style = `.s{opacity:0;animation:s ${scenes.length * seconds}s step-end infinite}
@keyframes s{0%{opacity:1}${share.toFixed(3)}%{opacity:0}}
@media (prefers-reduced-motion:reduce){.s{animation:none}.s:first-of-type{opacity:1}}`;
  const body = frames.map((frame, index) => `<g class="s" style="animation-delay:${index * seconds}s">${frame.body}</g>`).join('\n');
  return document(frames[0]?.width ?? 0, height, title, style, body);
};

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

const widest = ({ text, columns }: Shown): number => columns ?? Math.max(...readAnsi(text).map(endOf));

const endOf = (row: Row): number => row.reduce((end, { column, width }) => Math.max(end, column + width), 0);

const framed = (shown: Shown): Frame => {
  const columns = widest(shown);
  const rows = readAnsi(shown.text.replace(/\n+$/, '')).map((row) => (endOf(row) > columns ? cut(row, columns) : row));
  const body = rows.map((row, index) => drawRow(row, BAR + 10 + index * HEIGHT)).filter((row) => row !== '');
  const title = `<text class="f" x="50%" y="${BAR / 2 + 5}" text-anchor="middle">${inert(shown.title)}</text>`;
  return {
    width: Math.ceil(columns * WIDTH + 2 * MARGIN),
    height: BAR + 10 + rows.length * HEIGHT + MARGIN,
    body: [title, ...body].join('\n'),
  };
};

/** What is too long for the terminal ends in an ellipsis, rather than going on in the next row. */
const cut = (row: Row, columns: number): Row => {
  const kept = row.filter(({ column }) => column < columns);
  const last = kept.at(-1);
  if (last === undefined) return kept;
  let text = last.text;
  while (text !== '' && last.column + columnsOf(text) > columns - 1) text = [...text].slice(0, -1).join('');
  text += '…';
  return [...kept.slice(0, -1), { ...last, text, width: columnsOf(text) }];
};

const drawRow = (row: Row, top: number): string => {
  const grounds = row.flatMap((piece) => drawGround(piece, top));
  const words = row.filter(({ text }) => text.trim() !== '').map(drawWords);
  return [...grounds, ...(words.length === 0 ? [] : [`<text y="${top + SIZE}">${words.join('')}</text>`])].join('');
};

const drawGround = ({ column, width, look }: Piece, top: number): string[] => {
  const ground = look.isInverse ? (look.colour ?? TEXT) : look.background;
  if (ground === undefined) return [];
  return [`<rect x="${place(column)}" y="${top - 2}" width="${round(width * WIDTH)}" height="${HEIGHT}" fill="${paint(ground)}"/>`];
};

/** Each piece begins at its column and is as long as its columns, whatever font there is. */
const drawWords = ({ text, column, look }: Piece): string => {
  const lead = text.length - text.trimStart().length;
  const words = text.trim();
  const length = round(columnsOf(words) * WIDTH);
  return `<tspan x="${place(column + lead)}" textLength="${length}"${attributes(look)}>${inert(words)}</tspan>`;
};

const attributes = ({ colour, background, isBold, isDim, isItalic, isUnderlined, isInverse }: Look): string => {
  const fill = isInverse ? (background ?? GROUND) : colour;
  return [
    fill === undefined ? '' : ` fill="${paint(fill)}"`,
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' fill-opacity=".6"' : '',
    isItalic ? ' font-style="italic"' : '',
    isUnderlined ? ' text-decoration="underline"' : '',
  ].join('');
};

const document = (width: number, height: number, title: string, style: string, body: string): string => {
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${20 + index * 20}" cy="${BAR / 2}" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${inert(title)}</title>
<style>text{font:${SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${TEXT};white-space:pre}.f{fill:#8b949e}
${style}</style>
<rect width="${width}" height="${height}" rx="10" fill="${GROUND}"/>
${lights.join('')}
${body}
</svg>
`;
};

const place = (column: number): number => round(MARGIN + column * WIDTH);
const round = (number: number): number => Math.round(number * 10) / 10;
const paint = (colour: string | number): string => (typeof colour === 'number' ? (PALETTE[colour] ?? TEXT) : colour);
const inert = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
