import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import { FIXED, useServerAnswer } from '../client/queries.ts';
import type { Setting } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Loading, Problem, ProblemLine } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, visible } from '../parts/words.ts';
import { SettingField } from './setting-field.tsx';
import { type Draft, type Drafts, groupsOf, isChange, meantBy, refusedSetting } from './setting-values.ts';
import classes from './settings-view.module.css';

/** All settings, to be changed where they stand and saved together. */
export const SettingsForm = () => {
  const { data, error, refetch } = useServerAnswer('getSettings');
  useEffect(() => {
    // The file may have been changed by others: no event tells of that.
    void refetch();
  }, [refetch]);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Reading settings …" />;
  return <Form {...data} />;
};

interface FormProps {
  readonly file: string;
  readonly settings: readonly Setting[];
  readonly unknown: readonly string[];
}

const Form = ({ file, settings, unknown }: FormProps) => {
  const { typed, drafts, change, discard, save, isSaving, refusal } = useDrafts(settings, unknown);
  const form = useRef<HTMLFormElement>(null);
  const named = refusal?.key;
  useEffect(() => {
    if (named !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [named]);
  const changes = Object.keys(drafts).length;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (changes > 0) void save();
  };
  const isElsewhere = refusal !== undefined && !settings.some(({ key }) => key === refusal.key);
  return (
    <form ref={form} className={classes.form} onSubmit={onSubmit} noValidate>
      <p className={classes.soft}>
        Kept in <code>{visible(file)}</code>, for all workspaces.
      </p>
      {unknown.length > 0 && <Unknown keys={unknown} drafts={drafts} onChange={change} />}
      {groupsOf(settings).map(([group, own]) => (
        <section key={group} className={classes.group} aria-label={group}>
          <h2>{group}</h2>
          <div className={classes.settings}>
            {own.map((setting) => (
              <SettingField
                key={setting.key}
                setting={setting}
                draft={typed[setting.key]}
                isChanged={Object.hasOwn(drafts, setting.key)}
                refusal={refusal?.key === setting.key ? refusal.error : undefined}
                onChange={(draft) => change(setting.key, draft)}
              />
            ))}
          </div>
        </section>
      ))}
      {(changes > 0 || isElsewhere) && (
        <section className={classes.bar} aria-label="Save">
          <div className={classes.line}>
            <p>{count(changes, 'change')} not saved</p>
            <Button onClick={discard} disabled={isSaving}>
              Discard
            </Button>
            <Button look="primary" type="submit" disabled={isSaving}>
              {isSaving ? 'Saving …' : 'Save'}
            </Button>
          </div>
          {isElsewhere && <ProblemLine error={refusal.error} />}
        </section>
      )}
    </form>
  );
};

interface Refusal {
  /** The setting it is about; empty where none is named. */
  readonly key: string;
  readonly error: unknown;
}

const useDrafts = (settings: readonly Setting[], unknown: readonly string[]) => {
  const client = useQueryClient();
  const { toast } = useToast();
  const [typed, setTyped] = useState<Drafts>({});
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  // What others have saved meanwhile, or taken out, is no change any more.
  const drafts = Object.fromEntries(
    Object.entries(typed).filter(([key, draft]) => {
      const setting = settings.find((one) => one.key === key);
      return setting === undefined ? unknown.includes(key) : isChange(setting, draft);
    }),
  );
  const change = (key: string, draft: Draft | undefined): void => {
    setRefusal(undefined);
    setTyped(({ [key]: _, ...others }) => (draft === undefined ? others : { ...others, [key]: draft }));
  };
  const discard = (): void => {
    setTyped({});
    setRefusal(undefined);
  };
  const save = async (): Promise<void> => {
    setRefusal(undefined);
    const changes: Record<string, NonNullable<Setting['value']> | null> = {};
    for (const [key, draft] of Object.entries(drafts)) {
      const setting = settings.find((one) => one.key === key);
      const value = setting === undefined ? null : meantBy(setting, draft);
      if (value === undefined) return setRefusal({ key, error: new Error(`It has to be ${setting?.wanted}. Nothing was changed`) });
      changes[key] = value;
    }
    setSaving(true);
    try {
      const answer = await ask('changeSettings', { body: { changes } });
      client.setQueryData(['server', 'getSettings'], answer);
      setTyped({});
      toast({ tone: 'good', text: `${count(Object.keys(changes).length, 'setting')} saved` });
      // What is kept for how long, and whether a workspace can be opened at all, may be another matter now.
      void client.invalidateQueries({ predicate: ({ queryKey: [own, what] }) => own !== 'server' && what !== FIXED });
    } catch (error) {
      setRefusal(refusedSetting(error) ?? { key: '', error });
    } finally {
      setSaving(false);
    }
  };
  return { typed, drafts, change, discard, save, isSaving, refusal };
};

interface UnknownProps {
  readonly keys: readonly string[];
  readonly drafts: Drafts;
  readonly onChange: (key: string, draft: Draft | undefined) => void;
}

/** What the file says and nobody knows; as long as it is there, nothing else works. */
const Unknown = ({ keys, drafts, onChange }: UnknownProps) => (
  <section className={classes.unknown} aria-label="Unknown settings">
    <h2>Not settings of Retake</h2>
    <p>The file has these in it, and as long as it does, commands refuse to work.</p>
    <ul>
      {keys.map((key) => (
        <li key={key} className={classes.line}>
          <code>{visible(key)}</code>
          {drafts[key] === undefined ? (
            <Button isSmall icon="trash" onClick={() => onChange(key, null)} aria-label={`Take out ${key}`}>
              Take out
            </Button>
          ) : (
            <>
              <span>is taken out when you save</span>
              <Button isSmall onClick={() => onChange(key, undefined)} aria-label={`Leave it in: ${key}`}>
                Leave it in
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  </section>
);
