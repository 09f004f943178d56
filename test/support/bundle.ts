import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { afterAll } from 'vitest';

export interface TestPrograms {
  /** `faulty-cli.ts` */
  readonly faulty: string;
  /** `faulty-recorder.ts` */
  readonly recorder: string;
  /** `command-server.ts` */
  readonly server: string;
  /** Variables with which Node starts them fastest. */
  readonly env: Readonly<Record<string, string>>;
}

const directories: string[] = [];

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

let built: Promise<TestPrograms> | undefined;

/** The programs of this folder in one file each, once per test file: started from source they take three times as long. */
export const testPrograms = (): Promise<TestPrograms> => {
  built ??= build();
  return built;
};

const build = async (): Promise<TestPrograms> => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'retake-programs-')));
  directories.push(directory);
  const input = {
    faulty: join(import.meta.dirname, 'faulty-cli.ts'),
    recorder: join(import.meta.dirname, 'faulty-recorder.ts'),
    server: join(import.meta.dirname, 'command-server.ts'),
  };
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/] });
  const output: RolldownOutput = await bundle.write({ dir: directory, format: 'esm', minify: 'dce-only' });
  await bundle.close();
  if (output.output.length < 3) throw new Error('the test programs were not built');
  mkdirSync(join(directory, 'cache'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  return {
    faulty: join(directory, 'faulty.js'),
    recorder: join(directory, 'recorder.js'),
    server: join(directory, 'server.js'),
    env: { NODE_COMPILE_CACHE: join(directory, 'cache') },
  };
};
