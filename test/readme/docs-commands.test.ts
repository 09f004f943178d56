import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { put, scene } from '../support/scene.ts';

const PAGES = join(BIN, '../../docs');

/** The blocks of commands of a page, in order. */
const blocksOf = (page: string): string[] =>
  readFileSync(join(PAGES, page), 'utf8')
    .split(/^(?! {4}|$)/m)
    .flatMap((part) => {
      const lines = part.split('\n').filter((line) => /^ {4}\S/.test(line));
      return lines.length === 0 ? [] : [lines.map((line) => line.trim()).join('\n')];
    });

const played = () => {
  const at = scene();
  put(at.workspace, 'a.txt', 'one\n');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'first');
  const PATH = `${dirname(BIN)}:${at.retake.env.PATH}`;
  const shell = (script: string) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', script], {
      cwd: at.workspace,
      env: { ...at.retake.env, PATH },
      encoding: 'utf8',
    });
    expect(status, `${script}\n${stdout}${stderr}`).toBe(0);
  };
  return { at, shell };
};

test('[UI-1] every command of the page about backing up works, and what it brings back is whole', () => {
  const { at, shell } = played();
  const [backUp = '', bringBack = ''] = blocksOf('backup.md');
  shell(backUp);
  rmSync(at.retake.env.RETAKE_HOME ?? '', { recursive: true });
  expect(at.retake.json(at.workspace, 'log').operations).toEqual([]);
  shell(bringBack);
  rmSync(join(at.workspace, 'retake-backup.tar.gz'));
  put(at.workspace, 'a.txt', 'two\n');
  at.retake.json(at.workspace, 'rewind', 'first', '--yes');
  expect(readFileSync(join(at.workspace, 'a.txt'), 'utf8')).toBe('one\n');
});

test('[UI-1] every command of the page about tuning works', () => {
  const { at, shell } = played();
  const blocks = blocksOf('tuning.md');
  expect(blocks.length).toBeGreaterThan(2);
  for (const block of blocks) shell(block);
  const settings = at.retake.json(at.workspace, 'settings', '--workspace').settings as { key: string; value: unknown }[];
  expect(settings.map(({ key }) => key)).toEqual(['capture.exclude', 'retention.days']);
});
