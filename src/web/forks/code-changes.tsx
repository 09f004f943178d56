import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import { Counts } from '../parts/counts.tsx';
import { Loading, ProblemLine } from '../parts/states.tsx';
import { number } from '../parts/words.ts';
import { usePlaces } from '../shell/places.ts';
import classes from './branch-panel.module.css';
import { ChangedFiles } from './changed-files.tsx';
import { fileKey } from './compare-words.ts';
import type { Branch } from './fork-tree.ts';
import { BranchHunks } from './hunks.tsx';

const MOST = 100;

/** What became of the code on a branch, from the fork that it begins at to its end. */
export const CodeChanges = ({ branch: { branch, sessionId } }: { branch: Branch }) => {
  const [chosen, setChosen] = useState<string>();
  const places = usePlaces();
  const { data, error } = useAnswer('diffForkPoint', { params: { session: sessionId }, query: { branch, limit: MOST } });
  if (error !== null) return <ProblemLine error={error} />;
  if (data === undefined) return <Loading />;
  const { files, stats, total, from, to } = data;
  const file = files.find((one) => fileKey(one) === chosen);
  return (
    <div className={classes.changes}>
      <p className={classes.soft}>
        {stats.files === 0 ? 'No files changed' : <Counts {...stats} />}
        {from?.id != null && to.id !== null && (
          <>
            {' · '}
            <Link href={places.diff(sessionId, from.id, to.id)}>Open the whole diff</Link>
          </>
        )}
      </p>
      {files.length > 0 && (
        <ChangedFiles
          label="Files changed on this branch"
          files={files}
          chosen={chosen}
          onChoose={(one) => setChosen(fileKey(one) === chosen ? undefined : fileKey(one))}
        />
      )}
      {total > files.length && <p className={classes.soft}>{number(total - files.length)} more are in the whole diff.</p>}
      {file !== undefined && <BranchHunks key={chosen} session={sessionId} branch={branch} file={file} label="Lines that changed" />}
    </div>
  );
};
