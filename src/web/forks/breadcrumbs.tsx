import { Link } from 'wouter';
import { useAnswer } from '../client/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { usePlaces } from '../shell/places.ts';
import { countBranches, wayTo } from './branch-rows.ts';
import classes from './breadcrumbs.module.css';
import { titleOf } from './fork-tree.ts';

/** The way from the beginning of the conversation to a branch, or to the one that the session is on. Nothing where there is but one. */
export const Breadcrumbs = ({ session, branch }: { session: string; branch?: string | undefined }) => {
  const { data, isPlaceholderData } = useAnswer('getForkTree', { params: { session }, query: { branch } });
  const places = usePlaces();
  // The way to another branch is no news of this one.
  if (data === undefined || isPlaceholderData || countBranches(data.tree) < 2) return null;
  const last = data.breadcrumbs.length - 1;
  const sessionOf = (id: string): string => wayTo(data.tree, id).at(-1)?.sessionId ?? session;
  return (
    <nav aria-label={branch === undefined ? 'Way to here' : 'Way to this branch'}>
      <ol className={classes.crumbs}>
        {data.breadcrumbs.map((crumb, at) => (
          <li key={crumb.branch} className={classes.crumb}>
            {at > 0 && <Icon name="right" size={12} />}
            <Link
              href={places.session(sessionOf(crumb.branch), crumb.branch)}
              className={classes.link ?? ''}
              aria-current={at === last ? 'true' : undefined}
            >
              <bdi>{titleOf(crumb)}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
};
