import { useWorkspaceId } from '../client/workspace.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { useCopy } from '../parts/copyable.tsx';
import { Lines } from '../parts/counts.tsx';
import { Checkbox, Choice } from '../parts/field.tsx';
import { visible } from '../parts/words.ts';
import classes from './file-diff.module.css';
import { isPicture } from './language.ts';
import type { Look } from './look.ts';
import { STATUS } from './status.ts';
import type { DiffSubject } from './subject.ts';
import { askPatch, type FileLines } from './use-difference.ts';
import { useRestore } from './use-restore.ts';

/** A drawing that is text can be looked at both ways. */
export type FileView = 'lines' | 'picture';

interface FileHeadProps {
  readonly subject: DiffSubject;
  readonly path: string;
  readonly pathBase64: string | undefined;
  /** Undefined until they are read. */
  readonly lines: FileLines | undefined;
  readonly look: Look;
  readonly onLook: (change: Partial<Look>) => void;
  readonly hasRoom: boolean;
  readonly view: FileView;
  readonly onView: (view: FileView) => void;
  readonly onStep: (by: 1 | -1) => void;
}

export const FileHead = (props: FileHeadProps) => {
  const { subject, path, pathBase64, lines, look, onLook, hasRoom, view, onView, onStep } = props;
  const workspace = useWorkspaceId();
  const copy = useCopy();
  const restore = useRestore(subject, lines?.from);
  const file = lines?.file;
  const hasLines = lines !== undefined && lines.hunks.length > 0;
  return (
    <header className={classes.head}>
      <div className={classes.name}>
        <h2>
          <bdi>{visible(path)}</bdi>
        </h2>
        <IconButton isSmall icon="copy" label="Copy the path" onClick={() => void copy('Path', path)} />
        {file !== undefined && (
          <>
            <Badge tone={STATUS[file.status].tone}>{STATUS[file.status].word}</Badge>
            {!file.binary && file.status !== 'mode' && <Lines {...file} />}
          </>
        )}
      </div>
      <div className={classes.tools}>
        {file !== undefined && isPicture(path) && !file.binary && (
          <Choice
            label="What is shown of it"
            value={view}
            onChange={onView}
            options={[
              { value: 'lines', label: 'Lines' },
              { value: 'picture', label: 'Picture' },
            ]}
          />
        )}
        {hasLines && view === 'lines' && (
          <>
            <span className={classes.steps}>
              <IconButton isSmall icon="up" label="Previous change" onClick={() => onStep(-1)} />
              <IconButton isSmall icon="down" label="Next change" onClick={() => onStep(1)} />
            </span>
            <Choice
              label="Layout"
              value={look.layout}
              onChange={(layout) => onLook({ layout })}
              options={[
                { value: 'unified', label: 'Unified' },
                { value: 'split', label: 'Side by side', disabledBecause: hasRoom ? undefined : 'There is no room for two sides here' },
              ]}
            />
            <Checkbox
              label="Hide whitespace changes"
              checked={look.hidesWhitespace}
              onChange={({ target }) => onLook({ hidesWhitespace: target.checked })}
            />
          </>
        )}
        {file !== undefined && (
          <Button isSmall icon="copy" onClick={() => void copy('Patch', askPatch(subject, file, { workspace }))}>
            Copy patch
          </Button>
        )}
        {file !== undefined && restore !== undefined && (
          <Button
            isSmall
            icon="back"
            disabled={pathBase64 !== undefined}
            title={pathBase64 === undefined ? 'As it was at the checkpoint' : 'Its name is not UTF-8: retake rewind --path restores it'}
            onClick={() => restore.restoreFile(file)}
          >
            Restore this file
          </Button>
        )}
      </div>
    </header>
  );
};
