import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingAt } from '../../src/web/settings/setting-level.ts';
import { choicesOf, groupsOf, isChange, kindOf, lockOf, meantBy, shownIn } from '../../src/web/settings/setting-values.ts';
import { serve } from '../api/served.ts';
import { scene } from '../support/scene.ts';

/** As somebody sees them who sets them for all workspaces, or for one. */
const seen = async (ask: ReturnType<typeof serve>['ask'], level: 'user' | 'workspace' = 'user') =>
  (await ask('getSettings')).settings.map((setting) => settingAt(setting, level));

test.each(['user', 'workspace'] as const)(
  '[SEC] what the page locks is exactly what the server refuses to have changed: %s',
  async (level) => {
    const { ask } = serve(scene());
    for (const setting of await seen(ask, level)) {
      const { key } = setting;
      const refusal = await ask('changeSettings', { body: { level, changes: { [key]: setting.default } } }).then(
        () => undefined,
        ({ status }) => status,
      );
      expect([key, lockOf(setting) !== undefined]).toEqual([key, refusal !== undefined]);
    }
  },
);

test('[UI-4] every setting is shown by its kind, and what is shown and saved unchanged is no change', async () => {
  const { ask } = serve(scene());
  const settings = await seen(ask);
  expect(groupsOf(settings).map(([group]) => group)).toEqual([...new Set(settings.map(({ key }) => key.split('.')[0]))]);
  for (const setting of settings) {
    const shown = shownIn(setting, undefined);
    expect([setting.key, isChange(setting, shown), meantBy(setting, shown)]).toEqual([setting.key, false, setting.value]);
  }
  const named = (key: string) => settings.find((one) => one.key === key) ?? expect.fail(key);
  expect(
    ['daemon.enabled', 'retention.days', 'history.mode', 'export.exclude', 'git.recoveryPrefix'].map((key) => kindOf(named(key))),
  ).toEqual(['switch', 'number', 'choice', 'list', 'text']);
  expect(choicesOf(named('durability'))).toEqual(['process', 'power']);
  expect([kindOf(named('history.batch')), choicesOf(named('history.batch'))]).toEqual(['choice', ['step', 'turn', 'interval']]);
  expect(['', '  ', 'many', '1e999', '0x'].map((typed) => meantBy(named('retention.days'), typed))).toEqual(Array(5).fill(undefined));
  expect(meantBy(named('upkeep.idleMinutes'), '0.5')).toBe(0.5);
  expect(meantBy(named('export.exclude'), '\n.env*\n\n  *.pem \n')).toEqual(['.env*', '  *.pem ']);
  expect(meantBy(named('export.exclude'), '')).toEqual([]);
});

test('[UI-4] what the environment decides, and what can not be typed, is locked', async () => {
  const at = scene({ RETAKE_RETENTION_DAYS: '9' });
  mkdirSync(at.retake.home, { recursive: true });
  writeFileSync(join(at.retake.home, 'settings.json'), JSON.stringify({ 'export.exclude': ['a\nb'] }));
  const { ask } = serve(at);
  const settings = await seen(ask);
  const locked = settings.filter((setting) => lockOf(setting) !== undefined).map(({ key }) => key);
  expect(locked).toEqual(expect.arrayContaining(['retention.days', 'export.exclude', 'conversation.summarizer']));
  expect(lockOf(settings.find(({ key }) => key === 'retention.days') ?? expect.fail())?.why).toContain('RETAKE_RETENTION_DAYS');
});

test('[UI-4] who sets for all is not shown what a workspace has of its own, but told of it; taking that out leads back to what counts for all', async () => {
  const at = scene();
  at.retake.json(at.workspace, 'settings', 'retention.days', '60');
  at.retake.json(at.workspace, 'settings', 'retention.days', '5', '--workspace');
  const { ask } = serve(at);
  const days = async (level: 'user' | 'workspace') => (await seen(ask, level)).find(({ key }) => key === 'retention.days') ?? expect.fail();
  const forAll = await days('user');
  expect(forAll).toMatchObject({ value: 60, from: 'user', isSet: true, overruledBy: 5 });
  expect([shownIn(forAll, undefined), shownIn(forAll, null), isChange(forAll, '60'), isChange(forAll, null)]).toEqual([
    '60',
    '30',
    false,
    true,
  ]);
  const here = await days('workspace');
  expect(here).toMatchObject({ value: 5, from: 'workspace', isSet: true, overruledBy: null });
  expect([shownIn(here, undefined), shownIn(here, null), isChange(here, '60'), isChange(here, null)]).toEqual(['5', '60', true, true]);
});
