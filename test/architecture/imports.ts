import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

export interface Import {
  /** A file below `src`, without its ending, or a module of Node. */
  readonly to: string;
  readonly isType: boolean;
}

export const SOURCE = join(import.meta.dirname, '../../src');

const withoutEnding = (path: string): string => path.replace(/\.tsx?$/, '');

const STATEMENT = /^\s*(?:import|export)\s+(?:(type)\s+)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

const importsIn = (file: string): Import[] =>
  [...readFileSync(join(SOURCE, file), 'utf8').matchAll(STATEMENT)].flatMap(([, type, named, loaded]) => {
    const target = named ?? loaded ?? '';
    if (target.startsWith('node:')) return [{ to: target, isType: false }];
    if (!/\.tsx?$/.test(target)) return [];
    return [{ to: withoutEnding(normalize(join(file, '..', target))), isType: type !== undefined }];
  });

/** Every file of the program, without its ending, with what it imports of the program and of Node. */
export const readImports = (): ReadonlyMap<string, readonly Import[]> =>
  new Map(globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((file) => [withoutEnding(file), importsIn(file)]));
