import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choicesOf, groupsOf, isChange, kindOf, lockOf, meantBy, shownIn } from '../../src/web/settings/setting-values.ts';
import { serve } from '../api/served.ts';
import { scene } from '../support/scene.ts';

test('[SEC] what the page locks is exactly what the server refuses to have changed', async () => {
  const { ask } = serve(scene());
  const { settings } = await ask('getSettings');
  for (const { key, default: built } of settings) {
    const refusal = await ask('changeSettings', { body: { changes: { [key]: built } } }).then(
      () => undefined,
      ({ status }) => status,
    );
    const setting = settings.find((one) => one.key === key);
    expect([key, setting !== undefined && lockOf(setting) !== undefined]).toEqual([key, refusal !== undefined]);
  }
});

test('[UI-4] every setting is shown by its kind, and what is shown and saved unchanged is no change', async () => {
  const { ask } = serve(scene());
  const { settings } = await ask('getSettings');
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
  const { settings } = await ask('getSettings');
  const locked = settings.filter((setting) => lockOf(setting) !== undefined).map(({ key }) => key);
  expect(locked).toEqual(expect.arrayContaining(['retention.days', 'export.exclude', 'conversation.summarizer']));
  expect(lockOf(settings.find(({ key }) => key === 'retention.days') ?? expect.fail())?.why).toContain('RETAKE_RETENTION_DAYS');
});
