import { type ReactNode, useState } from 'react';
import type { Comparison } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Lines } from '../parts/counts.tsx';
import { number, visible } from '../parts/words.ts';
import classes from './changed-files.module.css';
import { fileKey, STATUS_WORDS } from './compare-words.ts';

type ChangedFile = Comparison['a']['files'][number];

interface ChangedFilesProps {
  readonly label: string;
  readonly files: readonly ChangedFile[];
  readonly chosen?: string | undefined;
  /** Beside a file: whether the other side changed it too. */
  readonly markOf?: (file: ChangedFile) => ReactNode;
  readonly onChoose: (file: ChangedFile) => void;
}

/** So many are shown at once. */
const STEP = 200;

/** Files with what became of them; choosing one shows its lines. */
export const ChangedFiles = ({ label, files, chosen, markOf, onChoose }: ChangedFilesProps) => {
  const [most, setMost] = useState(STEP);
  if (files.length === 0) return <p className={classes.none}>No files changed.</p>;
  return (
    <>
      <ul className={classes.files} aria-label={label}>
        {files.slice(0, most).map((file) => (
          <li key={fileKey(file)}>
            <button
              type="button"
              className={classes.file}
              aria-pressed={fileKey(file) === chosen}
              onClick={() => onChoose(file)}
              title={visible(file.path)}
            >
              <span className={classes.path}>
                <bdi>{visible(file.path)}</bdi>
              </span>
              <span className={classes.facts}>
                {markOf?.(file)}
                <Badge tone={TONES[file.status]}>{STATUS_WORDS[file.status]}</Badge>
                {file.binary ? <span>not text</span> : <Lines {...file} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {files.length > most && (
        <Button isSmall onClick={() => setMost(most + STEP)}>
          Show more ({number(files.length - most)} left)
        </Button>
      )}
    </>
  );
};

const TONES = { added: 'good', modified: 'info', deleted: 'bad', mode: 'plain', type: 'warn' } as const;
