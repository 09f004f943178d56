import type { Plan } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Counts, Lines } from '../parts/counts.tsx';
import { count, visible, visibleLines } from '../parts/words.ts';
import classes from './commit-list.module.css';
import { Fold } from './fold.tsx';
import { Notice } from './notice.tsx';
import { PathList, PathName } from './path-name.tsx';

type Commits = NonNullable<Plan['commits']>;

interface CommitListProps {
  readonly commits: Commits;
  readonly leftOut?: Plan['leftOut'];
  readonly staged?: Plan['staged'];
}

/** Commits that are to be made, and what goes into none of them. */
export const CommitList = ({ commits, leftOut = [], staged = [] }: CommitListProps) => (
  <>
    <ol className={classes.commits}>
      {commits.map((commit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: commits to be have nothing else to tell them apart
        <li key={at}>
          <Commit commit={commit} />
        </li>
      ))}
    </ol>
    {leftOut.length > 0 && (
      <Notice tone="info" title={`${count(leftOut.length, 'path')} left out`}>
        <PathList paths={leftOut} />
      </Notice>
    )}
    {staged.length > 0 && (
      <Notice
        tone="info"
        title={`${count(staged.length, 'file')} that you have staged ${staged.length === 1 ? 'stays' : 'stay'} as staged`}
      >
        <PathList paths={staged} />
      </Notice>
    )}
  </>
);

const MOST_FILES = 300;

const Commit = ({ commit: { headline, message, turns, files, insertions, deletions } }: { commit: Commits[number] }) => (
  <article className={classes.commit} aria-label={visible(headline)}>
    <h3>{visible(headline)}</h3>
    <p className={classes.facts}>
      {turns.length > 0 && <span>{turns.length === 1 ? `turn ${turns[0]}` : `turns ${turns.join(', ')}`}</span>}
      <Counts files={files.length} insertions={insertions} deletions={deletions} />
    </p>
    <Fold title="The whole message">
      <pre className={classes.message}>{visibleLines(message)}</pre>
    </Fold>
    <Fold title={count(files.length, 'file')} isOpen={files.length <= 10}>
      <ul className={classes.files}>
        {files.slice(0, MOST_FILES).map((file) => (
          <li key={file.pathBase64 ?? file.path}>
            <Badge tone={file.status === 'added' ? 'good' : file.status === 'deleted' ? 'bad' : 'info'}>{file.status}</Badge>
            <PathName path={file.path} />
            {!file.binary && <Lines insertions={file.insertions} deletions={file.deletions} />}
          </li>
        ))}
        {files.length > MOST_FILES && <li>and {(files.length - MOST_FILES).toLocaleString('en')} more</li>}
      </ul>
    </Fold>
  </article>
);
