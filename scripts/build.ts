import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

/** Everything in one file: Node starts fastest when there is one module to find, and the package needs no dependencies. */
rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({ input: { cli: 'src/cli/main.ts' }, platform: 'node', external: [/^node:/] });
await bundle.write({ dir: 'dist', format: 'esm', minify: 'dce-only', sourcemap: true });
await bundle.close();
