import type { Plugin } from 'rolldown';

/** How a chunk in CommonJS gets a module of Node; the second line is there where it is asked for as a whole. */
const IMPORT = /^let (node_\w+) = require\("(node:[^"]+)"\);(?:\n\1 = ([\w.]+\()\1, 1\);)?$/gm;

/**
 * Modules of Node are loaded when something of them is used for the first time: together they take longer than ours, and a command uses few
 * of them. `node_zlib.inflateSync` becomes `node_zlib().inflateSync`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  renderChunk: (code, _chunk, _options, { magicString: text }) => {
    if (text === undefined) throw new Error('lazy-builtins needs experimental.nativeMagicString');
    for (const { 0: whole, 1: name = '', 2: builtin = '', 3: wrap, index: at } of code.matchAll(IMPORT)) {
      const uses = [...code.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].filter(({ index }) => index < at || index > at + whole.length);
      // Handed on as a whole, it can not wait.
      if (uses.some(({ index }) => code[index + name.length] !== '.')) continue;
      const load = `require("${builtin}")`;
      text.overwrite(
        at,
        at + whole.length,
        `let ${name}$;\nconst ${name} = () => ${name}$ ??= ${wrap === undefined ? load : `${wrap}${load}, 1)`};`,
      );
      for (const { index } of uses) text.appendLeft(index + name.length, '()');
    }
    return text;
  },
};
