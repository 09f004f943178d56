import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { buildPage } from './page.ts';

/**
 * Everything in one file: Node starts fastest when there is one module to find, and the package needs no dependencies. Made
 * beside its place and moved there, so that a program started meanwhile finds the old one or the new one.
 */
const made = `dist.${process.pid}`;

/** Ink offers its developers a door to tools that are not here. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  load: (id) => (id.endsWith('/ink/build/devtools.js') ? 'export {};' : null),
};

const write = async (input: Record<string, string>, options: OutputOptions, treeshake?: InputOptions['treeshake']): Promise<void> => {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/],
    plugins: [withoutDevtools],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    ...(treeshake === undefined ? {} : { treeshake }),
  });
  await bundle.write({ dir: made, minify: 'dce-only', sourcemap: true, ...options });
  await bundle.close();
};

// What the library's functions take and give, for programs that import it.
const types = promisify(execFile)(join('node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.types.json', '--outDir', join(made, 'types')]);

await write(
  {
    cli: 'src/cli/main.ts',
    engine: 'src/engine/index.ts',
    'scan-worker': 'src/capture/scan-worker.ts',
    'prefetch-worker': 'src/engine/prefetch-worker.ts',
  },
  { format: 'esm' },
);
// Apart from the others: what they shared would be cut into small files, and each command would have to find them.
await write({ daemon: 'src/daemon/main.ts' }, { format: 'esm', chunkFileNames: 'daemon-[name]-[hash].js' });
// Loaded by a command when somebody is to choose on a terminal.
await write({ picker: 'src/cli/picker/index.ts' }, { format: 'esm', chunkFileNames: 'picker-[name]-[hash].js' });
// Loaded by a thread of the daemon when somebody wants it.
await write({ server: 'src/server/main.ts' }, { format: 'esm', chunkFileNames: 'server-[name]-[hash].js' });
// CommonJS is what Node starts fastest, and what the hook does not use of Node is not loaded. Its parts have lasting names, so
// that one which runs while the program is updated finds the new ones.
await write(
  { hook: 'src/hook/main.ts' },
  { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'hook-[name].cjs' },
  { moduleSideEffects: [{ external: true, sideEffects: false }] },
);
await buildPage(join(process.cwd(), made, 'web'));
await types;
// What runs meanwhile finds the one or the other.
const before = `${made}.before`;
if (existsSync('dist')) renameSync('dist', before);
renameSync(made, 'dist');
rmSync(before, { recursive: true, force: true });
