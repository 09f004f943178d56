import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { count, number } from '../parts/words.ts';
import classes from './file-diff.module.css';
import { MORE_LINES } from './use-difference.ts';

interface MoreLinesProps {
  readonly here: number;
  readonly total: number;
  /** Why no more could be read. */
  readonly error: unknown;
  readonly isReadingMore: boolean;
  readonly onReadMore: () => Promise<{ readonly hasNextPage: boolean; readonly isError: boolean }>;
}

/** Reads more of a long file, or all of it until it is told to stop. */
export const MoreLines = ({ here, total, error, isReadingMore, onReadMore }: MoreLinesProps) => {
  const [isAll, setAll] = useState(false);
  const isWanted = useRef(false);
  const stop = (): void => {
    isWanted.current = false;
    setAll(false);
  };
  useEffect(
    () => () => {
      isWanted.current = false;
    },
    [],
  );
  const readAll = async (): Promise<void> => {
    isWanted.current = true;
    setAll(true);
    while (isWanted.current) {
      const { hasNextPage, isError } = await onReadMore();
      if (!hasNextPage || isError) stop();
    }
  };
  return (
    <div className={classes.more}>
      <p role="status">
        {number(here)} of {count(total, 'line')} {isReadingMore ? 'are here, reading more …' : 'are shown.'}
      </p>
      {isAll ? (
        <Button isSmall onClick={stop}>
          Stop
        </Button>
      ) : (
        <>
          <Button isSmall disabled={isReadingMore} onClick={() => void onReadMore()}>
            Show {number(Math.min(MORE_LINES, total - here))} more lines
          </Button>
          <Button isSmall disabled={isReadingMore} onClick={() => void readAll()}>
            Show all
          </Button>
        </>
      )}
      {error !== null && !isReadingMore && <ProblemLine error={error} />}
    </div>
  );
};
