import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { CompiledCode } from './compiled-code.ts';

/** V8 takes what was compiled of another file of the same length for what it compiled of this one: only a name that tells what is in a file may be trusted. */
const NAMED_BY_CONTENT = /^cli-[\w-]{8}\.cjs$/;

const compiled = new CompiledCode(process.argv[2] ?? '');
const modules = new Map<string, { readonly exports: object }>();

/** Loads a file of the program as `require` does, with what is known of it in compiled form. */
const load = (id: string): object => {
  if (!id.startsWith('./')) return process.getBuiltinModule(id) as object;
  const name = id.slice(2);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = join(import.meta.dirname, name);
  const isNamedByContent = NAMED_BY_CONTENT.test(name);
  const cachedData = isNamedByContent ? compiled.of(name) : undefined;
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`, {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (isNamedByContent) compiled.add(name, script);
  script.runInThisContext()(module.exports, load, module, filename, import.meta.dirname);
  return module.exports;
};

process.on('exit', (code) => {
  if (code === 0) compiled.save();
});
load('./cli.cjs');
