import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hermeticEnvironment } from './git.ts';

const run = promisify(execFile);

/** Milliseconds for a little of what the tests do most: start Node, let git write and read. */
export const timeReferenceJob = async (): Promise<number> => {
  const cwd = mkdtempSync(join(tmpdir(), 'retake-reference-'));
  const options = { cwd, env: hermeticEnvironment('/nonexistent') };
  const begin = performance.now();
  try {
    await run('git', ['init', '-q'], options);
    for (let number = 0; number < 5; number++) {
      writeFileSync(join(cwd, 'file'), `content ${number}\n`);
      await run('git', ['add', 'file'], options);
      await run('git', ['commit', '-qm', `number ${number}`], options);
      await run(process.execPath, ['-e', ''], options);
    }
    await run('git', ['log', '-p'], options);
    return performance.now() - begin;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};
