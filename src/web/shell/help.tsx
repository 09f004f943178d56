import { Dialog } from '../parts/dialog.tsx';
import { useAllCommands } from './commands.tsx';
import classes from './help.module.css';
import { Keys } from './keys.tsx';

/** Which keys do what, on this very screen. */
export const Help = ({ onClose }: { onClose: () => void }) => {
  const commands = useAllCommands()();
  const groups = Map.groupBy(
    commands.filter(({ keys }) => keys !== undefined),
    ({ group }) => group,
  );
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <div className={classes.groups}>
        {[...groups].map(([group, own]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className={classes.list}>
              {own.map(({ label, keys = '' }) => (
                <div key={label} className={classes.row}>
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
};
