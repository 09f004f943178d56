import { memo } from 'react';
import { Button } from '../parts/button.tsx';
import { bytes } from '../parts/words.ts';
import classes from './code.module.css';
import type { Colours } from './colours.ts';
import type { ShownLine } from './rows.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { type Range, wordDiff } from './word-diff.ts';

const NONE: readonly Range[] = [];
const words = new WeakMap<ShownLine, readonly Range[]>();

/** Looked for when the line is first shown. */
const changedWords = (line: ShownLine): readonly Range[] => {
  const { mate, kind } = line;
  if (mate === null || kind === 'context') return NONE;
  const known = words.get(line);
  if (known !== undefined) return known;
  const [before, after] = kind === 'remove' ? [line, mate] : [mate, line];
  const diff = wordDiff(before.line.text, after.line.text);
  words.set(before, diff?.before ?? NONE);
  words.set(after, diff?.after ?? NONE);
  return words.get(line) ?? NONE;
};

/** What all lines of a file are shown with. */
export interface CodeContext {
  readonly colours: Colours | null;
  /** Where lines end in different ways, each says how. */
  readonly marksReturns: boolean;
  /** Reads all of a line of which only the beginning is here. */
  readonly onWholeLine?: ((place: number) => void) | undefined;
}

/** The text of a line, with everything in it that is not seen made visible: nothing that a file holds does anything here. */
export const Code = memo(({ line, context: { colours, marksReturns, onWholeLine } }: { line: ShownLine; context: CodeContext }) => {
  const { text, noNewline, isExact, bytes: size } = line.line;
  const endsInReturn = text.endsWith('\r');
  const changed = changedWords(line);
  const segments = segmentsOf(endsInReturn ? text.slice(0, -1) : text, colours?.of(line.hunk, line) ?? [], changed);
  const Tag = line.kind === 'add' ? 'ins' : line.kind === 'remove' ? 'del' : 'span';
  return (
    <Tag className={classes.code}>
      {segments.map((segment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are known by their places alone
        <Piece key={at} {...segment} />
      ))}
      {endsInReturn && marksReturns && (
        <span
          className={changed.some(({ to }) => to === text.length) ? `${classes.mark} ${classes.changed}` : classes.mark}
          title="Carriage return: the line ends in CRLF"
        >
          CR
        </span>
      )}
      {size !== undefined && (
        <span className={classes.mark}>
          … the beginning of {bytes(size)}{' '}
          {onWholeLine !== undefined && (
            <Button isSmall look="quiet" onClick={() => onWholeLine(line.place)}>
              Show more of it
            </Button>
          )}
        </span>
      )}
      {isExact === false && (
        <span className={classes.mark} title="It is not UTF-8: what can not be read shows as �. The patch has its bytes.">
          not UTF-8
        </span>
      )}
      {noNewline && <span className={classes.mark}>no newline at end of file</span>}
    </Tag>
  );
});

const Piece = ({ text, colour, isChanged, isUnseen }: Segment) => {
  if (colour === null && !isChanged && !isUnseen) return text;
  const names = [colour === null ? '' : classes[colour], isChanged ? classes.changed : '', isUnseen ? classes.unseen : ''];
  return <span className={names.filter((name) => name !== '').join(' ')}>{text}</span>;
};
