import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { lazyBuiltins } from './lazy-builtins.ts';
import { buildPage } from './page.ts';

/**
 * Everything in few files, because Node has to find each of them; the package needs no dependencies. Made beside its place and moved
 * there, so that a program started meanwhile finds the old one or the new one.
 */
const made = `dist.${process.pid}`;

/** Ink offers its developers a door to tools that are not here. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  load: (id) => (id.endsWith('/ink/build/devtools.js') ? 'export {};' : null),
};

interface Bundle {
  readonly input: Record<string, string>;
  readonly output: OutputOptions;
  readonly treeshake?: InputOptions['treeshake'];
  readonly plugins?: readonly Plugin[];
}

const write = async ({ input, output, treeshake, plugins = [] }: Bundle): Promise<void> => {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/],
    plugins: [withoutDevtools, ...plugins],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    experimental: { nativeMagicString: true },
    ...(treeshake === undefined ? {} : { treeshake }),
  });
  await bundle.write({ dir: made, minify: 'dce-only', sourcemap: true, ...output });
  await bundle.close();
};

// What the library's functions take and give, for programs that import it.
const types = promisify(execFile)(join('node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.types.json', '--outDir', join(made, 'types')]);

/** Nothing of ours does anything by being imported: a file gets what is used of others, and not all that they stand beside. */
const WHAT_IS_USED = { moduleSideEffects: false } as const;

// CommonJS is what Node starts fastest. A command line loads the program, the file of its verb, and what that shares with others: what
// all need that open a workspace in one file, the rest by who uses it, unless that would make small ones.
await write({
  input: { cli: 'src/cli/main.ts', program: 'src/cli/program.ts' },
  output: {
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'cli-[hash].cjs',
    comments: false,
    codeSplitting: {
      groups: [
        { name: 'program', test: /src\/cli\/program\.ts$/, priority: 2 },
        { name: 'run', test: /src\/cli\/run\.ts$/, priority: 1 },
        { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 },
      ],
    },
  },
  treeshake: WHAT_IS_USED,
  plugins: [lazyBuiltins],
});
// What loads those files.
await write({ input: { start: 'src/cli/start.ts' }, output: { format: 'cjs', entryFileNames: '[name].cjs', comments: false } });
// The library, and the threads that it and the program start.
await write({
  input: {
    engine: 'src/engine/index.ts',
    'scan-worker': 'src/capture/scan-worker.ts',
    'prefetch-worker': 'src/engine/core/prefetch-worker.ts',
  },
  output: { format: 'esm' },
});
// Apart from the others: what they shared would be cut into small files, and each command would have to find them.
await write({ input: { daemon: 'src/daemon/main.ts' }, output: { format: 'esm', chunkFileNames: 'daemon-[name]-[hash].js' } });
// Loaded by a command when somebody is to choose on a terminal.
await write({ input: { picker: 'src/cli/picker/index.ts' }, output: { format: 'esm', chunkFileNames: 'picker-[name]-[hash].js' } });
// Loaded by a thread of the daemon when somebody wants it.
await write({ input: { server: 'src/server/main.ts' }, output: { format: 'esm', chunkFileNames: 'server-[name]-[hash].js' } });
// What the hook does not use of Node is not loaded. Its parts have lasting names, so that one which runs while the program is updated
// finds the new ones.
await write({
  input: { hook: 'src/hook/main.ts' },
  output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'hook-[name].cjs' },
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
});
await buildPage(join(process.cwd(), made, 'web'));
await types;
// What runs meanwhile finds the one or the other.
const before = `${made}.before`;
if (existsSync('dist')) renameSync('dist', before);
renameSync(made, 'dist');
rmSync(before, { recursive: true, force: true });
