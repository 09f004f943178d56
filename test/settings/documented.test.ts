import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayBeAt, ruleOf, SETTING_KEYS, variableOf } from '../../src/engine/settings/setting-rules.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** The rows of the table: key, level, variable, default. */
const ROW = /^\| `([\w.]+)` \| (\w+) \| `(RETAKE_\w+)` \| `([^`]+)` \| \S.* \|$/gm;

test('[CLI] the table of docs/settings.md and the rules agree: each key with its level, variable and default', () => {
  const told = [...read('docs/settings.md').matchAll(ROW)].map(([, ...cells]) => cells.join(' '));
  const wanted = SETTING_KEYS.map((key) =>
    [key, mayBeAt(key, 'workspace') ? 'both' : 'user', variableOf(key), JSON.stringify(ruleOf(key).fallback)].join(' '),
  );
  expect(told).toEqual(wanted);
});

test('[CLI] what is built in is what each rule accepts, no two settings share a variable, and each says what it is for', () => {
  for (const key of SETTING_KEYS) {
    const { accepts, fallback, meaning, wanted } = ruleOf(key);
    expect([key, accepts(fallback), meaning.endsWith('.'), wanted.length > 5]).toEqual([key, true, true, true]);
  }
  expect(new Set(SETTING_KEYS.map(variableOf)).size).toBe(SETTING_KEYS.length);
});
