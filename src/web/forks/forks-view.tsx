import { useState } from 'react';
import { useAnswer } from '../client/queries.ts';
import type { ForkTree } from '../client/types.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { count } from '../parts/words.ts';
import { countBranches, wayTo } from './branch-rows.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { ForkBoard } from './fork-board.tsx';
import classes from './forks-view.module.css';
import { LostForks } from './lost-forks.tsx';
import { UndoLast } from './undo-last.tsx';
import { useIsNarrow } from './use-narrow.ts';

/** The branches of a conversation, or of all, as a tree; and what can be done with them (FRK-4, FRK-6). */
export const ForksView = ({ session }: { session: string }) => {
  const [isAll, setAll] = useState(false);
  const isNarrow = useIsNarrow();
  const { data, error, isPlaceholderData, refetch } = useAnswer('getForkTree', { params: { session }, query: isAll ? { all: true } : {} });
  const isThere = data !== undefined && !isPlaceholderData;
  return (
    <Page
      title="Fork tree"
      isFull={!isNarrow}
      above={<Breadcrumbs session={session} />}
      below={isThere && <p className={classes.soft}>{summaryOf(data, isAll)}</p>}
      actions={<UndoLast />}
    >
      <div className={classes.view}>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        {error === null && !isThere && <Loading what="Reading the branches …" />}
        {isThere && <Shown key={`${session} ${isAll}`} session={session} data={data} isAll={isAll} onAll={setAll} />}
      </div>
    </Page>
  );
};

interface ShownProps {
  readonly session: string;
  readonly data: ForkTree;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
}

const Shown = ({ data, ...rest }: ShownProps) => {
  const { tree, forks } = data;
  const lost = forks.filter(({ children }) => children.every((child) => wayTo(tree, child).length === 0));
  return (
    <>
      {tree.length === 0 && (
        <Empty icon="fork" title="There is no conversation to be shown">
          <p>The agent keeps conversations in files of its own, and the one of this session is not there.</p>
        </Empty>
      )}
      {tree.length > 0 && <ForkBoard data={data} {...rest} />}
      {lost.length > 0 && <LostForks forks={lost} session={rest.session} />}
    </>
  );
};

const summaryOf = ({ tree, forks }: ForkTree, isAll: boolean): string => {
  const branches = countBranches(tree);
  if (branches === 1 && forks.length === 0)
    return 'One branch. Go back in the conversation and ask something else there, and there are two.';
  const parts = [count(branches, 'branch', 'branches'), count(forks.length, 'fork')];
  return (isAll ? [count(tree.length, 'conversation'), ...parts] : parts).join(', ');
};
