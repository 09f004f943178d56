import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { readWebPages } from '../../src/server/pages/web.ts';

const scripts = readWebPages()
  .filter(({ path }) => path.endsWith('.js'))
  .map(({ body }) => Buffer.from(body as Uint8Array).toString());

test('[UI-4] the page knows where to ask, and brings no schemas along', () => {
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.some((script) => script.includes(ROUTES.listCheckpoints.path))).toBe(true);
  expect(scripts.filter((script) => /Zod(?:Error|Object)/.test(script))).toEqual([]);
});
