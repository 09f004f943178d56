import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import { askAgain, FIXED, serverKeyOf } from '../client/keys.ts';
import { useServerAnswer } from '../client/queries.ts';
import type { Setting, Settings } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { Loading, Problem, ProblemLine } from '../parts/states.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, visible } from '../parts/words.ts';
import { SettingField } from './setting-field.tsx';
import { LEVELS, type Level, type SettingAt, settingAt } from './setting-level.ts';
import { type Draft, type Drafts, groupsOf, isChange, meantBy, refusedSetting } from './setting-values.ts';
import classes from './settings-view.module.css';
import { Unknown } from './unknown-settings.tsx';

/** All settings, to be changed where they stand and saved together. */
export const SettingsForm = () => {
  const workspace = useWorkspaceId();
  const { data, error, refetch } = useServerAnswer('getSettings', { query: { workspace } });
  useEffect(() => {
    // The files may have been changed by others: no event tells of that.
    void refetch();
  }, [refetch]);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Reading settings …" />;
  return <Form {...data} />;
};

const Form = (report: Settings) => {
  const { file, workspaceFile, unknown } = report;
  const [level, setLevel] = useState<Level>('user');
  const settings = report.settings.map((setting) => settingAt(setting, level));
  const strays = unknown.filter((one) => one.level === level).map(({ key }) => key);
  const { typed, drafts, change, discard, save, isSaving, refusal } = useDrafts(settings, strays, level);
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
      <Choice
        label="Set"
        value={level}
        options={LEVELS.map((one) => ({
          ...one,
          disabledBecause: changes > 0 && one.value !== level ? 'Save your changes first, or discard them' : undefined,
        }))}
        onChange={(next) => {
          // What was typed and taken back is still there, and meant for the other level.
          discard();
          setLevel(next);
        }}
      />
      <p className={classes.soft}>
        Kept in <code>{visible((level === 'user' ? file : workspaceFile) ?? '')}</code>
        {level === 'user' ? '. A workspace may have its own.' : ', outside of the project. It wins over what is set for all workspaces.'}
      </p>
      {unknown.length > 0 && <Unknown strays={unknown} level={level} drafts={drafts} onChange={change} />}
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

const useDrafts = (settings: readonly SettingAt[], strays: readonly string[], level: Level) => {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const { toast } = useToast();
  const [typed, setTyped] = useState<Drafts>({});
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  // What others have saved meanwhile, or taken out, is no change any more.
  const drafts = Object.fromEntries(
    Object.entries(typed).filter(([key, draft]) => {
      const setting = settings.find((one) => one.key === key);
      return setting === undefined ? strays.includes(key) : isChange(setting, draft);
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
      const answer = await ask('changeSettings', { query: { workspace }, body: { changes, level } });
      client.setQueryData(serverKeyOf('getSettings', { query: { workspace } }), answer);
      setTyped({});
      toast({ tone: 'good', text: `${count(Object.keys(changes).length, 'setting')} saved` });
      // What is kept for how long, and whether a workspace can be opened at all, may be another matter now.
      askAgain(client, ([own, what]) => own !== 'server' && what !== FIXED);
    } catch (error) {
      setRefusal(refusedSetting(error) ?? { key: '', error });
    } finally {
      setSaving(false);
    }
  };
  return { typed, drafts, change, discard, save, isSaving, refusal };
};
