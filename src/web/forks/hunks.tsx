import { useAnswer } from '../client/queries.ts';
import type { Diff, DiffFile } from '../client/types.ts';
import { HunkList } from '../diff/hunk-list.tsx';
import { Loading, ProblemLine } from '../parts/states.tsx';
import { count, number } from '../parts/words.ts';
import { fileKey } from './compare-words.ts';
import classes from './hunks.module.css';

export interface FileName {
  readonly path: string;
  readonly pathBase64?: string | undefined;
}

/** How a question about one file is asked. */
const linesOf = ({ path, pathBase64 }: FileName) => ({
  ...(pathBase64 === undefined ? { path: [path] } : { pathBase64: [pathBase64] }),
  hunks: true,
});

interface FileHunksProps {
  readonly session: string;
  readonly file: FileName;
  /** Which lines these are, for those who do not see what is around them. */
  readonly label: string;
}

/** What became of one file from one checkpoint to another. */
export const FileHunks = ({ session, from, to, file, label }: FileHunksProps & { readonly from: string; readonly to: string }) => {
  const asking = { params: { session, checkpoint: from, other: to }, query: linesOf(file) };
  return <Answered {...useAnswer('diffCheckpoints', asking, true)} file={file} label={label} />;
};

/** What became of one file on a branch, from the fork that it begins at. */
export const BranchHunks = ({ session, branch, file, label }: FileHunksProps & { readonly branch: string }) => (
  <Answered {...useAnswer('diffForkPoint', { params: { session }, query: { branch, ...linesOf(file) } })} file={file} label={label} />
);

interface AnsweredProps extends Pick<FileHunksProps, 'file' | 'label'> {
  readonly data: Diff | undefined;
  readonly error: unknown;
}

const Answered = ({ data, error, file, label }: AnsweredProps) => {
  if (error !== null) return <ProblemLine error={error} />;
  if (data === undefined) return <Loading />;
  const found = data.files.find((one) => fileKey(one) === fileKey(file));
  return found === undefined ? <p className={classes.note}>Nothing changed in it.</p> : <Hunks file={found} label={label} />;
};

/** The lines of a file that changed. */
const Hunks = ({ file: { path, hunks = [], binary, status, cut }, label }: { file: DiffFile; label: string }) => {
  if (binary) return <p className={classes.note}>It is not text.</p>;
  if (hunks.length === 0)
    return <p className={classes.note}>{status === 'mode' ? 'Only its permissions changed.' : 'No lines changed.'}</p>;
  return (
    <>
      <HunkList path={path} hunks={hunks} label={label} />
      {cut !== undefined && (
        <p className={classes.note}>
          {number(cut.lines)} of {count(cut.total, 'line')} are shown.
        </p>
      )}
    </>
  );
};
