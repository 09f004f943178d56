import type { Comparison } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { count, visible } from '../parts/words.ts';
import classes from './compare-view.module.css';
import { conflictWords, fileKey } from './compare-words.ts';

type SharedFile = Comparison['both'][number];

/** Files that both changed and that can not be merged without a choice. */
export const Conflicts = ({
  both,
  chosen,
  onChoose,
}: {
  both: readonly SharedFile[];
  chosen: string | undefined;
  onChoose: (file: SharedFile) => void;
}) => {
  const conflicts = both.filter(({ conflict }) => conflict !== null);
  if (conflicts.length === 0)
    return <p className={classes.soft}>{both.length === 0 ? 'No file was changed on both sides.' : 'What both changed fits together.'}</p>;
  return (
    <section aria-label="Conflicts" className={classes.conflicts}>
      <h2>{count(conflicts.length, 'conflict')}</h2>
      <ul>
        {conflicts.map((file) => (
          <li key={fileKey(file)}>
            <button type="button" className={classes.conflict} aria-pressed={fileKey(file) === chosen} onClick={() => onChoose(file)}>
              <Badge tone="bad">conflict</Badge>
              <code>
                <bdi>{visible(file.path)}</bdi>
              </code>
              <span>{conflictWords(file.conflict ?? '')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
