import type { Command } from 'commander';
import type { KnownWord } from '../../engine/index.ts';
import { oneLine } from '../output.ts';
import { optionsOf, placeAfter, type Wanted } from './place.ts';
import { type Word, wordsOf, writtenOut } from './shell-line.ts';

/** Words that would do, and whether names of files would. */
interface Offer {
  readonly words: readonly KnownWord[];
  readonly paths: 'none' | 'files' | 'directories';
}

/** A word with one of these could not be told from the next. */
const UNSAFE = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}]/u;

/**
 * Answers a shell: a line that says whether names of files would do, then a line for each word. Whatever goes wrong, nothing is offered and
 * nothing said: somebody is in the middle of writing a line.
 */
export const offerWords = async (program: Command, [shell = '', ...asked]: readonly string[]): Promise<number> => {
  try {
    const lines = shell === 'bash' ? await linesForBash(program, asked) : await linesFor(program, shell, asked);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch {
    process.stdout.write('none\n');
  }
  return 0;
};

/** bash is told what to put in place of the text it asked about, which may be the end of a word only; it quotes nothing itself. */
const linesForBash = async (program: Command, [line = '', text = '']: readonly string[]): Promise<string[]> => {
  const all = wordsOf(line);
  const words = all.slice(all.findIndex(({ meant }) => !/^\w+=/.test(meant)));
  const current = words.at(-1) as Word;
  const before = words.slice(1, -1).map(({ meant }) => meant);
  const { words: found, paths } = await offer(program, before, current.meant);
  const fixed = current.written.endsWith(text) ? current.written.length - text.length : 0;
  return [paths, ...found.map(({ word }) => writtenOut(current, word).slice(fixed))];
};

/** The others quote and match by themselves, and show what a word means. */
const linesFor = async (program: Command, shell: string, [given = '', ...before]: readonly string[]): Promise<string[]> => {
  const current = shell === 'fish' ? (wordsOf(given).at(-1)?.meant ?? '') : given;
  const { words, paths } = await offer(program, before, current);
  return [paths, ...words.map(({ word, meaning }) => `${word}\t${oneLine(meaning)}`)];
};

const offer = async (program: Command, before: readonly string[], current: string): Promise<Offer> => {
  const { wanted, given } = await placeAfter(program, before, current);
  if (wanted === undefined) return { words: [], paths: 'none' };
  if (wanted.is === 'kind' && wanted.kind === 'file') return { words: [], paths: 'files' };
  if (wanted.is === 'kind' && wanted.kind === 'directory') return { words: [], paths: 'directories' };
  const after = 'after' in wanted ? wanted.after : '';
  const words = (await wordsThatFit(program, wanted, given, current.slice(after.length)))
    .map(({ word, meaning }) => ({ word: after + word, meaning }))
    .filter(({ word }) => word.startsWith(current) && !UNSAFE.test(word));
  return { words, paths: 'none' };
};

const wordsThatFit = async (
  program: Command,
  wanted: Wanted,
  given: ReadonlyMap<string, string>,
  beginning: string,
): Promise<KnownWord[]> => {
  if (wanted.is === 'choices') return wanted.choices.map((word) => ({ word, meaning: '' }));
  if (wanted.is === 'verbs') return verbsOf(wanted.of);
  if (wanted.is === 'flags')
    return optionsOf(wanted.of).flatMap(({ long, description }) => (long ? [{ word: long, meaning: description }] : []));
  const { kind } = wanted;
  if (kind === 'verb') return verbsOf(program);
  if (kind === 'text' || kind === 'file' || kind === 'directory') return [];
  // Only here is more needed than the verbs tell of themselves.
  const { wordsOfKind } = await import('./known.ts');
  return wordsOfKind(kind, given, beginning);
};

const verbsOf = ({ commands }: Command): KnownWord[] => commands.map((command) => ({ word: command.name(), meaning: command.summary() }));
