import type { Settings } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/words.ts';
import type { Level } from './setting-level.ts';
import type { Draft, Drafts } from './setting-values.ts';
import classes from './settings-view.module.css';

interface UnknownProps {
  readonly strays: Settings['unknown'];
  readonly level: Level;
  readonly drafts: Drafts;
  readonly onChange: (key: string, draft: Draft | undefined) => void;
}

/** What the files say and does not belong there; as long as it is there, nothing else works. */
export const Unknown = ({ strays, level, drafts, onChange }: UnknownProps) => (
  <section className={classes.unknown} aria-label="Unknown settings">
    <h2>What does not belong there</h2>
    <p>As long as these are in a file of settings, commands refuse to work.</p>
    <ul>
      {strays.map((stray) => (
        <li key={`${stray.level} ${stray.key}`} className={classes.line}>
          <code>{visible(stray.key)}</code> <span>{visible(stray.problem)}</span>
          {stray.level !== level ? (
            <span>It is set {stray.level === 'user' ? 'for all workspaces' : 'for this workspace'}: choose that above to take it out.</span>
          ) : drafts[stray.key] === undefined ? (
            <Button isSmall icon="trash" onClick={() => onChange(stray.key, null)} aria-label={`Take out ${stray.key}`}>
              Take out
            </Button>
          ) : (
            <>
              <span>is taken out when you save</span>
              <Button isSmall onClick={() => onChange(stray.key, undefined)} aria-label={`Leave it in: ${stray.key}`}>
                Leave it in
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  </section>
);
