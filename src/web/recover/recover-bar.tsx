import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Checkbox, Choice } from '../parts/field.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { count, number, visible } from '../parts/words.ts';
import { usePlans } from '../plan/plans.tsx';
import classes from './recover-bar.module.css';
import { recoverSteps, type Wanted } from './requests.ts';
import { saidOf } from './said.ts';
import { forecastWords } from './steps.ts';
import { type Forecast, MOST_STEPS } from './use-forecast.ts';

interface RecoverBarProps {
  readonly session: string;
  readonly wanted: Wanted;
  readonly onChange: (how: Omit<Wanted, 'steps'>) => void;
  readonly forecast: Forecast;
  /** Chosen, and not in the list as it is filtered now. */
  readonly hidden: number;
  readonly onClear: () => void;
}

/** What is chosen, how bringing it back would go, and the button that does it; always in sight. */
export const RecoverBar = ({ session, wanted, onChange, forecast, hidden, onClear }: RecoverBarProps) => {
  const workspace = useWorkspaceId();
  const { runPlan } = usePlans();
  const { steps, strategy, commit } = wanted;
  const chosen = steps.length;
  const isTooMuch = chosen > MOST_STEPS;
  const recover = (): void =>
    runPlan({
      title: `Recover ${count(chosen, 'step')}`,
      action: commit ? 'Recover and commit' : 'Recover',
      ...recoverSteps({ ask, workspace }, session, wanted),
      said: (done) => saidOf(done, `${count(chosen, 'step')} recovered`),
      onDone: onClear,
    });
  return (
    <section className={classes.bar} aria-label="Recover what is selected">
      <div className={classes.line}>
        <p className={classes.chosen}>
          {chosen === 0 ? 'No step is selected' : `${count(chosen, 'step')} selected`}
          {hidden > 0 && `, ${number(hidden)} of them not shown`}
        </p>
        {chosen > 0 && (
          <Button look="quiet" isSmall onClick={onClear}>
            Select none
          </Button>
        )}
        <Choice
          label="How they are done again"
          value={strategy}
          options={[
            { value: 'sequential', label: 'One after the other' },
            { value: 'squash', label: 'As one change' },
          ]}
          onChange={(value) => onChange({ strategy: value, commit })}
        />
        <Checkbox label="Commit too" checked={commit} onChange={({ target }) => onChange({ strategy, commit: target.checked })} />
        <Button look="primary" disabled={chosen === 0 || isTooMuch} onClick={recover}>
          Recover …
        </Button>
      </div>
      <Foretold forecast={forecast} chosen={chosen} commit={commit} />
    </section>
  );
};

const Foretold = ({ forecast: { plan, isWorking, error }, chosen, commit }: { forecast: Forecast; chosen: number; commit: boolean }) => {
  if (chosen > MOST_STEPS)
    return <p className={classes.told}>At most {number(MOST_STEPS)} steps can be recovered at once: select fewer of them.</p>;
  if (chosen === 0)
    return <p className={classes.told}>Select steps to see how bringing them back would go. Nothing changes before you say so.</p>;
  if (error !== null) return <ProblemLine error={error} />;
  return (
    <div className={classes.told} role="status">
      {plan === undefined ? <p>Working out how it would go …</p> : <p data-stale={isWorking}>{forecastWords(plan)}</p>}
      {plan?.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {visible(warning)}
        </p>
      ))}
      {commit && plan !== undefined && <CommitsToBe plan={plan} />}
    </div>
  );
};

const SHOWN_COMMITS = 5;

const CommitsToBe = ({ plan: { commits, branch } }: { plan: NonNullable<Forecast['plan']> }) => {
  if (commits == null) return <p>Which commits it becomes can be told when the conflicts are settled.</p>;
  if (commits.length === 0) return <p>No commit would come of it.</p>;
  return (
    <>
      <p>
        {count(commits.length, 'commit')} {branch == null ? 'on no branch' : `on ${visible(branch)}`}:
      </p>
      <ul className={classes.commits}>
        {commits.slice(0, SHOWN_COMMITS).map(({ headline, message }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: commits to be have nothing else to tell them apart
          <li key={at} title={message}>
            {visible(headline)}
          </li>
        ))}
      </ul>
      {commits.length > SHOWN_COMMITS && <p>and {number(commits.length - SHOWN_COMMITS)} more</p>}
    </>
  );
};
