import { renameSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

/**
 * Everything in one file: Node starts fastest when there is one module to find, and the package needs no dependencies. Made
 * beside its place and moved there, so that a program started meanwhile finds the old one or the new one.
 */
const made = `dist.${process.pid}`;
const bundle = await rolldown({
  input: {
    cli: 'src/cli/main.ts',
    engine: 'src/engine/index.ts',
    'scan-worker': 'src/capture/scan-worker.ts',
    'prefetch-worker': 'src/engine/prefetch-worker.ts',
  },
  platform: 'node',
  external: [/^node:/],
});
await bundle.write({ dir: made, format: 'esm', minify: 'dce-only', sourcemap: true });
await bundle.close();
rmSync('dist', { recursive: true, force: true });
renameSync(made, 'dist');
