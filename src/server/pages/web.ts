import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstQuestions } from '../../api/index.ts';
import type { Page } from './page.ts';

/** The web page as it was built, beside this program. */
const BUILT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web' : './web', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The addresses that the page itself makes out of: it is the same file for all of them. */
const VIEWS = ['/', '/w/*'];

/**
 * The files of the web page, read once: a program that is replaced while it runs goes on with those that it began with. None where it was not
 * built.
 */
export const readWebPages = (directory = BUILT): Page[] => {
  if (!existsSync(directory)) return [];
  const read = (name: string): Omit<Page, 'path'> => ({
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    body: new Uint8Array(readFileSync(join(directory, name))),
  });
  const assets = readdirSync(join(directory, 'assets')).map((name) => ({
    path: `/assets/${name}`,
    ...read(`assets/${name}`),
    isIdentity: true,
  }));
  return [...VIEWS.map((path) => ({ path, ...read('index.html'), asksFirst: firstQuestions })), ...assets];
};
