import type { Comparison } from '../client/types.ts';
import { count, number } from '../parts/words.ts';
import classes from './compare-view.module.css';
import { divergenceWords } from './compare-words.ts';

/** How far two branches went from each other. */
export const Divergence = ({ comparison: { divergence, lines } }: { comparison: Comparison }) => {
  const words = divergenceWords(divergence, lines);
  return (
    <section className={classes.divergence} aria-label="Divergence">
      <p>
        <strong>Divergence {divergence.toFixed(2)}</strong>: {words}
      </p>
      <meter
        className={classes.meter}
        min={0}
        max={1}
        value={divergence}
        aria-label="Divergence"
        aria-valuetext={`${divergence.toFixed(2)}, ${words}`}
      />
      <p className={classes.soft}>
        {count(lines.a, 'line')} changed on the left, {number(lines.b)} on the right, {number(lines.common)} in common
      </p>
    </section>
  );
};
