import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Comparison } from '../client/types.ts';
import { IconButton } from '../parts/button.tsx';
import { visible } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import classes from './compare-view.module.css';
import { fileKey } from './compare-words.ts';
import { titleOf } from './fork-tree.ts';
import { FileHunks, type FileName } from './hunks.tsx';

interface FileSidesProps {
  /** That has the code where they part. */
  readonly session: string;
  readonly comparison: Comparison;
  readonly file: FileName;
  readonly onClose: () => void;
}

/** What each side made of one file since they parted. */
export const FileSides = ({ session, comparison: { ancestor, a, b }, file, onClose }: FileSidesProps) => {
  const places = usePlaces();
  const key = fileKey(file);
  const shown = useRef<HTMLElement>(null);
  // Below lists that may be long.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each file that is chosen
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'start' });
  }, [key]);
  return (
    <section ref={shown} className={classes.diff} aria-label={`Changes of ${visible(file.path)}`}>
      <header className={classes.head}>
        <h2>
          <code>
            <bdi>{visible(file.path)}</bdi>
          </code>
        </h2>
        <IconButton icon="cross" label="Close the file" onClick={onClose} />
      </header>
      <div className={classes.sides}>
        {[a, b].map((side) => (
          <div key={side.branch} className={classes.side}>
            <h3>
              <bdi>{titleOf(side)}</bdi>
            </h3>
            {side.tip === null || !side.files.some((one) => fileKey(one) === key) ? (
              <p className={classes.soft}>Not changed on this side.</p>
            ) : (
              <>
                <FileHunks
                  key={key}
                  session={session}
                  from={ancestor.checkpoint}
                  to={side.tip}
                  file={file}
                  label={`Lines changed on ${titleOf(side)}`}
                />
                <Link href={places.diff(session, ancestor.checkpoint, side.tip)}>Open the whole diff</Link>
              </>
            )}
          </div>
        ))}
      </div>
    </section>
  );
};
