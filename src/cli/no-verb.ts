/** Somebody sits there, to be shown something and to answer. */
export const isOnTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const TAKING = new Set(['-C', '--directory', '--session']);
const ALONE = /^(?:-C.+|--directory=.*|--session=.*|--plain|--no-pager)$/s;

/**
 * A command line without a verb, with what `rewind` without a target takes at most, means that. Without a terminal there is nobody to choose,
 * and the bare name gets the help.
 */
export const withVerb = (args: readonly string[]): readonly string[] => {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (TAKING.has(word)) at++;
    else if (!ALONE.test(word)) return args;
  }
  return isOnTerminal() ? ['rewind', ...args] : args;
};
