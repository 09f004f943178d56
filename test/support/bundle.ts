import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

declare module 'vitest' {
  interface ProvidedContext {
    programs: TestPrograms;
  }
}

export interface TestPrograms {
  /** `faulty-cli.ts` */
  readonly faulty: string;
  /** `faulty-recorder.ts` */
  readonly recorder: string;
  /** Variables with which Node starts them fastest. */
  readonly env: Readonly<Record<string, string>>;
}

export interface BuiltPrograms {
  readonly programs: TestPrograms;
  readonly remove: () => void;
}

/** The programs of this folder that are made to die, in one file each, once per run: started from source they take three times as long. */
export const buildTestPrograms = async (): Promise<BuiltPrograms> => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'retake-programs-')));
  const input = { faulty: join(import.meta.dirname, 'faulty-cli.ts'), recorder: join(import.meta.dirname, 'faulty-recorder.ts') };
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/] });
  await bundle.write({ dir: directory, format: 'esm', minify: 'dce-only' });
  await bundle.close();
  mkdirSync(join(directory, 'cache'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  return {
    programs: {
      faulty: join(directory, 'faulty.js'),
      recorder: join(directory, 'recorder.js'),
      env: { NODE_COMPILE_CACHE: join(directory, 'cache') },
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
