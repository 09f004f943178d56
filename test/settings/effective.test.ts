import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { changeSettings, currentSettings, loadSettings, settingNamed } from '../../src/engine/index.ts';
import { ruleOf, type SettingKey, variableOf } from '../../src/engine/settings/setting-rules.ts';
import { SEED } from '../support/property.ts';
import { randomFrom } from '../support/random.ts';
import { temporaryDirectory } from '../support/temporary.ts';

afterEach(() => vi.unstubAllEnvs());

const KEYS: readonly SettingKey[] = ['retention.days', 'retention.forkDays', 'record.automatic', 'record.skipTools', 'git.recoveryPrefix'];

const valueFor = (key: SettingKey, number: number): unknown => {
  const { fallback } = ruleOf(key);
  if (typeof fallback === 'number') return number + 1;
  if (typeof fallback === 'boolean') return number % 2 === 0;
  return Array.isArray(fallback) ? [`Tool${number}`] : `prefix${number}/`;
};

const inVariable = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const seeds = Array.from({ length: 6 }, (_, number) => SEED + number);

test.each(seeds)(
  '[CLI] whatever is set and unset at both levels and in the environment, the highest level that has a value decides: seed %i',
  async (seed) => {
    const random = randomFrom(seed);
    const home = temporaryDirectory();
    vi.stubEnv('RETAKE_HOME', home);
    const workspaces = ['one', 'two'].map((name) => join(home, 'workspaces', name));
    /** What each place says: the user, each workspace by its data directory, the environment. */
    const model = new Map<string, Map<SettingKey, unknown>>(['', ...workspaces, 'env'].map((place) => [place, new Map()]));
    const said = (place: string): Map<SettingKey, unknown> => model.get(place) ?? expect.fail();
    for (let step = 0; step < 60; step++) {
      const key = KEYS[random(KEYS.length)] as SettingKey;
      const place = ['', ...workspaces, 'env'][random(4)] as string;
      const value = random(3) === 0 ? null : valueFor(key, random(20));
      const isDecided = said('env').has(key);
      if (place === 'env') vi.stubEnv(variableOf(key), value === null ? undefined : inVariable(value));
      else {
        const change = changeSettings({ [key]: value }, place === '' ? undefined : place);
        if (isDecided) await expect(change).rejects.toMatchObject({ code: 'in-the-way' });
        else await change;
      }
      if (place === 'env' || !isDecided) value === null ? said(place).delete(key) : said(place).set(key, value);
      for (const data of [undefined, ...workspaces]) {
        const settings = loadSettings(data);
        for (const one of KEYS) {
          const places = ['env', ...(data === undefined ? [] : [data]), ''];
          const highest = places.find((where) => said(where).has(one));
          const wanted = highest === undefined ? ruleOf(one).fallback : said(highest).get(one);
          expect([one, settings[one]]).toEqual([one, wanted]);
          const from = highest === undefined ? 'default' : highest === 'env' ? 'environment' : highest === '' ? 'user' : 'workspace';
          expect([one, settingNamed(one, data).from]).toEqual([one, from]);
        }
      }
    }
  },
);

test('[CLI] a process that stays notices a change of either file, and keeps the same settings while neither changes', async () => {
  const home = temporaryDirectory();
  vi.stubEnv('RETAKE_HOME', home);
  const [one, two] = ['one', 'two'].map((name) => join(home, 'workspaces', name)) as [string, string];
  const before = currentSettings(one);
  expect(currentSettings(one)).toBe(before);
  await changeSettings({ 'retention.days': 5 }, one);
  const after = currentSettings(one);
  expect(after['retention.days']).toBe(5);
  expect(currentSettings(two)['retention.days']).toBe(30);
  await changeSettings({ 'retention.days': 60 });
  expect([one, two, undefined].map((data) => currentSettings(data)['retention.days'])).toEqual([5, 60, 60]);
  // What counts there is the same as before.
  expect(currentSettings(one)).toBe(after);
  await changeSettings({ 'retention.days': null }, one);
  expect(currentSettings(one)['retention.days']).toBe(60);
});
