import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** What a hand does to a workspace. */
export type Work = (root: string) => void;

export const edit =
  (name: string | Buffer, change: (content: string) => string): Work =>
  (root) => {
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]);
    writeFileSync(path, Buffer.from(change(readFileSync(path, 'latin1')), 'latin1'));
  };
export const file =
  (name: string, content: string | Buffer, mode?: number): Work =>
  (root) => {
    put(root, name, content, mode);
  };
export const all =
  (...works: Work[]): Work =>
  (root) => {
    for (const work of works) work(root);
  };
export const mode =
  (name: string, bits: number): Work =>
  (root) =>
    chmodSync(join(root, name), bits);
export const gone =
  (name: string): Work =>
  (root) =>
    rmSync(join(root, name), { recursive: true });
export const link =
  (name: string, target: string): Work =>
  (root) => {
    rmSync(join(root, name), { force: true });
    symlinkSync(target, join(root, name));
  };
export const directory =
  (name: string): Work =>
  (root) => {
    mkdirSync(join(root, name), { recursive: true });
  };

const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];
export const text = (end = '\n', last = end): string => LINES.join(end) + last;
export const TOP = (content: string): string => content.replace('one', 'ONE\tat the top');
export const BOTTOM = (content: string): string => content.replace('six', 'at the bottom\tSIX');

/** What there is when only this was done. */
export const alone = (...works: Work[]): Oracle => {
  const root = temporaryDirectory();
  all(...works)(root);
  return observeWorkspace(root);
};
