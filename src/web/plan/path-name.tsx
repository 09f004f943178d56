import { visible } from '../parts/words.ts';
import classes from './path-name.module.css';

/** A path with its last part in sight. Nothing in it is more than text. */
export const PathName = ({ path }: { path: string }) => {
  const at = path.lastIndexOf('/') + 1;
  return (
    <span className={classes.path}>
      {at > 0 && <span className={classes.above}>{visible(path.slice(0, at))}</span>}
      <span>{visible(path.slice(at))}</span>
    </span>
  );
};

const MOST = 200;

interface PathListProps {
  readonly paths: readonly {
    readonly path: string;
    readonly pathBase64?: string | undefined;
    readonly reason?: string;
    readonly about?: string;
  }[];
}

/** A few paths, and how many more there are. */
export const PathList = ({ paths }: PathListProps) => (
  <ul className={classes.list}>
    {paths.slice(0, MOST).map(({ path, pathBase64, reason, about }) => (
      <li key={pathBase64 ?? path}>
        <PathName path={path} />
        {(reason ?? about) !== undefined && <span className={classes.why}>{visible(reason ?? about ?? '')}</span>}
      </li>
    ))}
    {paths.length > MOST && <li className={classes.why}>and {(paths.length - MOST).toLocaleString('en')} more</li>}
  </ul>
);
