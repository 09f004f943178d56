import type { DiffFile, DiffHunk } from '../client/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useCopy } from '../parts/copyable.tsx';
import classes from './file-diff.module.css';
import { hunkText } from './hunks.ts';
import type { Restore } from './use-restore.ts';

interface HunkActionsProps {
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly isWhole: boolean;
  readonly restore: Restore | undefined;
}

export const HunkActions = ({ file, hunk, isWhole, restore }: HunkActionsProps) => {
  const copy = useCopy();
  return (
    <span className={classes.actions}>
      <IconButton
        isSmall
        icon="copy"
        label={isWhole ? 'Copy this change' : 'Not all of its lines are here: show them to copy it'}
        disabled={!isWhole}
        onClick={() => void copy('Change', hunkText(hunk))}
      />
      {/* What was made or removed goes back as a whole. */}
      {restore !== undefined && file.status === 'modified' && file.pathBase64 === undefined && (
        <Button isSmall look="quiet" icon="back" onClick={() => void restore.restoreHunk(file, hunk)}>
          Restore this hunk
        </Button>
      )}
    </span>
  );
};
