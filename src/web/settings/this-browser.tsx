import { useState } from 'react';
import { ask } from '../client/ask.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Choice } from '../parts/field.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { useTheme } from '../shell/theme.ts';
import classes from './settings-view.module.css';

/** What concerns the browser, and not what Retake does. */
export const ThisBrowser = () => {
  const { theme, setTheme } = useTheme();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <section className={classes.group} aria-label="This browser">
      <h2>This browser</h2>
      <div className={classes.browser}>
        <Choice
          label="Colours"
          value={theme}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={setTheme}
        />
        <Button look="danger" onClick={() => setLeaving(true)}>
          Sign out …
        </Button>
      </div>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
    </section>
  );
};

const SignOutDialog = ({ onClose }: { onClose: () => void }) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const signOut = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask('signOut', { body: {} });
      // The server tells whoever is not signed in how to get in.
      window.location.assign('/');
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Sign out"
      size="small"
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button look="danger" data-autofocus onClick={() => void signOut()} disabled={isBusy}>
            {isBusy ? 'Signing out …' : 'Sign out everywhere'}
          </Button>
        </>
      }
    >
      <p>
        Every browser that is signed in to Retake on this machine is signed out, this one too, and programs that use the token have to read
        a new one. Nothing that is recorded changes, and agents go on being recorded.
      </p>
      <p>
        To come back, run <code>retake serve</code> in your project and open the link that it prints.
      </p>
      {error !== undefined && <ProblemLine error={error} />}
    </Dialog>
  );
};
