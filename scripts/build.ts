import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { build as buildPage } from 'vite';

/**
 * Everything in one file: Node starts fastest when there is one module to find, and the package needs no dependencies. Made
 * beside its place and moved there, so that a program started meanwhile finds the old one or the new one.
 */
const made = `dist.${process.pid}`;

const write = async (input: Record<string, string>, options: OutputOptions, treeshake?: InputOptions['treeshake']): Promise<void> => {
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/], ...(treeshake === undefined ? {} : { treeshake }) });
  await bundle.write({ dir: made, minify: 'dce-only', sourcemap: true, ...options });
  await bundle.close();
};

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
// Loaded by a thread of the daemon when somebody wants it.
await write({ server: 'src/server/main.ts' }, { format: 'esm', chunkFileNames: 'server-[name]-[hash].js' });
// CommonJS is what Node starts fastest, and what the hook does not use of Node is not loaded. Its parts have lasting names, so
// that one which runs while the program is updated finds the new ones.
await write(
  { hook: 'src/hook/main.ts' },
  { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'hook-[name].cjs' },
  { moduleSideEffects: [{ external: true, sideEffects: false }] },
);
// The web page: files that the server reads. Nothing of it is written into the page itself, where its policy would refuse it.
await buildPage({
  root: 'src/web',
  configFile: false,
  logLevel: 'error',
  build: { outDir: join(process.cwd(), made, 'web'), assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2023' },
});
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');
