import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readImports, SOURCE } from './imports.ts';
import { DOORS, MODULES } from './modules.ts';

const FILES = readImports();

const moduleOf = (file: string): string => file.slice(0, file.indexOf('/'));

const mayImport = (from: string, to: string): boolean => {
  const { imports = [], isPure = false } = MODULES[from] ?? {};
  if (to.startsWith('node:')) return !isPure && (DOORS[to]?.includes(from) ?? true);
  return moduleOf(to) === from || imports.includes(to) || imports.includes(moduleOf(to));
};

/** Files that import each other in a circle, when only what is there at run time counts. */
const circles = (): string[][] => {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(path.slice(path.indexOf(file)));
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const { to, isType } of FILES.get(file) ?? []) if (!isType && FILES.has(to)) visit(to);
    path.pop();
    state.set(file, 'done');
  };
  for (const file of FILES.keys()) visit(file);
  return found;
};

test('every folder of the program is a module with a rule', () => {
  const folders = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(MODULES).sort());
});

test.each(Object.entries(MODULES))('%s imports only what its rule names', (name, { why }) => {
  const files = [...FILES].filter(([file]) => moduleOf(file) === name);
  expect(files.length).toBeGreaterThan(0);
  const wrong = files.flatMap(([file, imports]) =>
    imports.filter(({ to }) => !mayImport(name, to)).map(({ to }) => `${file} imports ${to}`),
  );
  expect(wrong, why).toEqual([]);
});

test('no module is allowed what it does not use', () => {
  const used = (name: string): ReadonlySet<string> =>
    new Set([...FILES].flatMap(([file, imports]) => (moduleOf(file) === name ? imports.flatMap(({ to }) => [to, moduleOf(to)]) : [])));
  const idle = Object.entries(MODULES).flatMap(([name, { imports }]) =>
    imports.filter((one) => !one.startsWith('daemon/') && !used(name).has(one)).map((one) => `${name} does not import ${one}`),
  );
  expect(idle).toEqual([]);
});

test('no files load each other in a circle', () => {
  expect([...FILES.values()].flat().filter(({ to }) => !to.startsWith('node:') && !FILES.has(to))).toEqual([]);
  expect(circles()).toEqual([]);
});
