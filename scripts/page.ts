import { join, sep } from 'node:path';
import { build, type Plugin } from 'vite';
import { ADDRESSES } from '../src/api/index.ts';

const API = join(import.meta.dirname, '../src/api') + sep;

/** The contract without its schemas: of the whole of `api` the page needs to know where to ask. */
const contractAsValues: Plugin = {
  name: 'contract-as-values',
  load: (id) => (id === `${API}addresses.ts` ? `export const ADDRESSES = ${JSON.stringify(ADDRESSES)};` : null),
  // Only makes values: what nobody uses of it is left out.
  transform: (_, id) => (id.startsWith(API) ? { moduleSideEffects: false } : null),
};

/** Builds the web page: files that the server reads. Nothing of it is written into the page itself, where its policy would refuse it. */
export const buildPage = async (outDir: string): Promise<void> => {
  await build({
    root: 'src/web',
    configFile: false,
    logLevel: 'error',
    plugins: [contractAsValues],
    build: { outDir, assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2023' },
  });
};
