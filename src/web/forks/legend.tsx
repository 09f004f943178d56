import drawing from './branch-drawing.module.css';
import classes from './legend.module.css';

/** What the signs of the drawing mean. */
export const Legend = () => (
  <ul className={classes.legend} aria-label="Legend">
    <li>
      <span className={`${classes.card} ${classes.present}`} /> you are here
    </li>
    <li>
      <Sign>
        <path d="M0 8H28" className={drawing.way} />
      </Sign>
      the way there
    </li>
    <li>
      <Sign>
        <circle cx="14" cy="8" r="6" className={drawing.known} />
      </Sign>
      fork, its code is known
    </li>
    <li>
      <Sign>
        <circle cx="14" cy="8" r="6" className={drawing.unknown} />
      </Sign>
      fork, its code is not known
    </li>
    <li>
      <span className={`${classes.card} ${classes.unrecorded}`} /> code not recorded
    </li>
    <li>
      <span className={classes.fold}>+3</span> folded branches
    </li>
  </ul>
);

const Sign = ({ children }: { children: React.ReactNode }) => (
  <svg width="28" height="16" aria-hidden="true">
    {children}
  </svg>
);
