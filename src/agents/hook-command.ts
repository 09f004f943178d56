import { basename, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOOK = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/hook.cjs' : './hook.cjs', import.meta.url));

/**
 * What an agent is to run: this Node and the hook beside this program, both by their whole path, because an agent may have
 * another PATH, another Node and another environment than whoever sets it up.
 */
export const hookCommand = (agent: string): string => {
  const home = process.env.RETAKE_HOME;
  const words = [...(home ? [`RETAKE_HOME=${quote(resolve(home))}`] : []), quote(process.execPath), quote(HOOK), agent, UNHEARD];
  return words.join(' ');
};

/** Should Node or the hook be gone one day, the agent's user is not told so at every tool: `retake status` says it. */
const UNHEARD = '|| :';

const quote = (word: string): string => (/^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Whether a command is one that some version of Retake, from wherever, has installed. */
export const isHookCommand = (command: string, agent: string): boolean => programOf(command, agent) !== undefined;

/** The files that a hook of ours needs. */
export const filesOf = (command: string, agent: string): string[] => (programOf(command, agent) ?? []).filter(isAbsolute);

const programOf = (command: string, agent: string): string[] | undefined => {
  const words = wordsOf(command.endsWith(UNHEARD) ? command.slice(0, -UNHEARD.length) : command);
  while (/^\w+=/.test(words[0] ?? '')) words.shift();
  const [program = '', argument = '', ...rest] = words;
  if (rest.length !== 1 || rest[0] !== agent) return undefined;
  if (argument.endsWith('/dist/hook.cjs')) return [program, argument];
  return basename(program) === 'retake' && argument === 'hook' ? [program] : undefined;
};

/** As a shell splits it, as far as we quote. */
const wordsOf = (command: string): string[] =>
  (command.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
