import { type ReactNode, useId } from 'react';
import type { Setting } from '../client/types.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyable.tsx';
import { Checkbox, Select, TextArea, TextField } from '../parts/field.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import classes from './setting-field.module.css';
import type { SettingAt } from './setting-level.ts';
import { choicesOf, type Draft, kindOf, lockOf, shownIn, words } from './setting-values.ts';

interface SettingFieldProps {
  readonly setting: SettingAt;
  /** What is typed; it need not be a change yet. */
  readonly draft: Draft | undefined;
  readonly isChanged: boolean;
  /** Why it was not saved. */
  readonly refusal: unknown;
  /** Undefined for what it is. */
  readonly onChange: (draft: Draft | undefined) => void;
}

/** One setting: what it is, where that comes from, and changing it. */
export const SettingField = ({ setting, draft, isChanged, refusal, onChange }: SettingFieldProps) => {
  const id = useId();
  const { key, from, problem, wanted, isSet, level, overruledBy } = setting;
  const lock = lockOf(setting);
  const builtIn = words(setting.default);
  return (
    <div className={classes.setting} data-changed={isChanged}>
      <div className={classes.control}>
        {lock === undefined ? (
          <Control setting={setting} draft={draft} errorId={refusal === undefined ? undefined : id} onChange={onChange} />
        ) : (
          <Locked setting={setting} lock={lock} />
        )}
        {!isChanged && problem !== null && <ProblemLine error={new Error(problem)} />}
        {refusal !== undefined && (
          <div id={id}>
            <ProblemLine error={refusal} />
          </div>
        )}
      </div>
      <div className={classes.about}>
        <Source from={from} isChanged={isChanged} isReset={draft === null} level={level} />
        <span>
          {visible(wanted)}; built in: {visible(builtIn)}
        </span>
        {overruledBy !== null && <span>This workspace has its own: {visible(words(overruledBy))}</span>}
        {lock === undefined && isSet && draft !== null && (
          <Button isSmall look="quiet" onClick={() => onChange(null)} aria-label={`Reset ${key}`}>
            Reset
          </Button>
        )}
        {isChanged && (
          <Button isSmall look="quiet" onClick={() => onChange(undefined)} aria-label={`Leave as it is: ${key}`}>
            Leave as it is
          </Button>
        )}
      </div>
    </div>
  );
};

const SOURCES: Readonly<Record<Setting['from'], { readonly tone: Tone; readonly words: string }>> = {
  default: { tone: 'plain', words: 'built in' },
  user: { tone: 'info', words: 'set for all' },
  workspace: { tone: 'info', words: 'set for this workspace' },
  environment: { tone: 'accent', words: 'from the environment' },
};

interface SourceProps extends Pick<SettingAt, 'from' | 'level'> {
  readonly isChanged: boolean;
  readonly isReset: boolean;
}

const Source = ({ from, level, isChanged, isReset }: SourceProps) =>
  isChanged ? (
    <Badge tone="warn">{isReset ? `back to what ${level === 'user' ? 'is built in' : 'counts for all'}, not saved` : 'not saved'}</Badge>
  ) : (
    <Badge tone={SOURCES[from].tone}>{SOURCES[from].words}</Badge>
  );

interface ControlProps extends Pick<SettingFieldProps, 'setting' | 'draft' | 'onChange'> {
  /** Where it stands why it was refused. */
  readonly errorId: string | undefined;
}

const Control = ({ setting, draft, errorId, onChange }: ControlProps) => {
  const { key: label, meaning } = setting;
  const help = visible(meaning);
  const shown = shownIn(setting, draft);
  const told = errorId === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': errorId };
  const common = { label, help, ...told };
  if (typeof shown === 'boolean')
    return <Checkbox role="switch" {...common} checked={shown} onChange={({ target }) => onChange(target.checked)} />;
  const typing = { value: shown, onChange: ({ target }: { target: { value: string } }) => onChange(target.value), spellCheck: false };
  switch (kindOf(setting)) {
    case 'number':
      return <TextField inputMode="decimal" {...common} {...typing} />;
    case 'choice':
      return (
        <Select {...common} value={shown} onChange={({ target }) => onChange(target.value)}>
          {!choicesOf(setting).includes(shown) && <option value={shown}>{visible(shown)}</option>}
          {choicesOf(setting).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      );
    case 'list':
      return <TextArea {...common} help={`${help} One on each line.`} rows={Math.max(2, shown.split('\n').length)} {...typing} />;
    default:
      return <TextField maxLength={10_000} {...common} {...typing} />;
  }
};

const Locked = ({
  setting: { key, value, meaning },
  lock: { why, command },
}: {
  setting: SettingAt;
  lock: { why: string; command: string | null };
}): ReactNode => (
  <div className={classes.locked}>
    <p className={classes.name}>{key}</p>
    <p>
      <code>{value === null ? 'wrong' : visible(words(value))}</code>
    </p>
    <p className={classes.soft}>{visible(meaning)}</p>
    <p className={classes.soft}>
      {visible(why)}.
      {command !== null && (
        <>
          {' '}
          <code>{command}</code> <CopyButton what="Command" text={command} label={`Copy the command for ${key}`} />
        </>
      )}
    </p>
  </div>
);
