import { createInterface, type Interface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { presentThrough } from '../../daemon/ask-or-run.ts';
import type { Workspace } from '../../engine/index.ts';
import { MERGE_CHOICES, type MergeChoice } from '../../model/index.ts';
import { count, describeError, print, relativeTime, showPath } from '../output.ts';
import type { Watch } from '../plan-client.ts';
import { choicesAt, orderFor } from './choices.ts';
import { type Contents, readContents, readDetails, readSteps, readWords, type View } from './contents.ts';
import { look } from './look.ts';
import type { Order, Prepared } from './order.ts';
import { type Details, fits, type Place } from './places.ts';
import { fulfil, prepare, weigh } from './prepare.ts';
import { steady } from './text.ts';

const PAGE = 20;

/** Work that nobody is told of while it goes on: each line would be read aloud. */
const SILENT: Watch = { onScan: () => {}, onApply: () => {} };

/** The picker by questions and answers: plain lines from top to bottom, nothing is drawn twice. */
export const openPlain = async (workspace: Workspace, session: string | undefined): Promise<void> => {
  const reader = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  try {
    await new Plain(workspace, session, reader).run();
  } finally {
    reader.close();
  }
};

const HELP = [
  'A number chooses. s NUMBER lists its steps, d NUMBER what going back there would change.',
  '/WORDS filters, / alone ends that. m lists more, a everything that was recorded or the turns again, q quits.',
];

/** Never called going back: that is what is done to the files here. */
const RETURN = 'return to the list';

/** Thrown where the answers end. */
class NoMore extends Error {}

class Plain {
  readonly #workspace: Workspace;
  readonly #session: string | undefined;
  readonly #answers: NodeJS.AsyncIterator<string>;
  #contents: Contents;
  #places: readonly Place[];
  #filter = '';
  /** Steps that were listed, by the number they were given. */
  readonly #steps = new Map<string, Place>();

  constructor(workspace: Workspace, session: string | undefined, reader: Interface) {
    this.#workspace = workspace;
    this.#session = session;
    this.#answers = reader[Symbol.asyncIterator]();
    this.#contents = readContents(workspace, 'turns', session);
    this.#places = this.#contents.places;
  }

  async run(): Promise<void> {
    try {
      this.#list(0);
      this.#say(...HELP);
      for (let from = 0; ; ) {
        const answer = await this.#ask('A number, or ? for help:');
        if (answer === 'q') return;
        from = answer === 'm' ? from + PAGE : 0;
        if (await this.#attempt(() => this.#command(answer, from))) return;
      }
    } catch (error) {
      if (!(error instanceof NoMore)) throw error;
    }
  }

  /** Whether that was all. What can not be done is told, and the next answer asked for. */
  async #attempt(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoMore) throw error;
      const { message, hint } = describeError(error);
      this.#say(message, ...(hint === undefined ? [] : [hint]));
      return false;
    }
  }

  async #command(answer: string, from: number): Promise<boolean> {
    const [, word, rest = ''] = /^([sd/]?)\s*(.*)$/s.exec(answer) ?? [];
    if (answer === '?') this.#say(...HELP);
    else if (answer === 'm') this.#list(from);
    else if (answer === 'a') this.#turnTo(this.#contents.view === 'turns' ? 'records' : 'turns');
    else if (word === '/') this.#find(rest);
    else {
      const place = this.#places[Number(rest) - 1] ?? this.#steps.get(rest);
      if (place === undefined) this.#say(`There is no ${rest === '' ? 'such answer' : rest}`);
      else if (word === 's') this.#listSteps(rest, place);
      else if (word === 'd')
        this.#say(...(await look(this.#workspace, place, 'return', { present: () => presentThrough(this.#workspace) })).lines);
      else return this.#choose(place);
    }
    return false;
  }

  #turnTo(view: View): void {
    this.#contents = readContents(this.#workspace, view, this.#session);
    this.#find('');
  }

  #find(filter: string): void {
    const { places } = this.#contents;
    const words = filter === '' ? undefined : readWords(this.#workspace, places);
    this.#filter = filter;
    // Their numbers begin with those of the list that goes.
    this.#steps.clear();
    this.#places = filter === '' ? places : places.filter((place) => fits(place, filter, words?.get(place.key)));
    this.#list(0);
  }

  #list(from: number): void {
    const { view, session } = this.#contents;
    const shown = this.#places.slice(from, from + PAGE);
    const noun = view === 'turns' ? 'turn' : 'record';
    const of = session === null ? '' : ` of session ${session}`;
    this.#say(`${count(this.#places.length, noun)}${of}${this.#filter === '' ? '' : ` with “${this.#filter}”`}, newest first`);
    const details = readDetails(this.#workspace, shown);
    this.#say(...shown.map((place, at) => line(`${from + at + 1}`, place, details.get(place.key))));
    const left = this.#places.length - from - shown.length;
    if (left > 0) this.#say(`${left} more`);
  }

  #listSteps(number: string, place: Place): void {
    const steps = readSteps(this.#workspace, place);
    if (steps.length === 0) this.#say('Nothing was recorded in this turn');
    const details = readDetails(this.#workspace, steps);
    for (const [at, step] of steps.entries()) {
      this.#steps.set(`${number}.${at + 1}`, step);
      this.#say(line(`${number}.${at + 1}`, step, details.get(step.key)));
    }
  }

  async #choose(place: Place): Promise<boolean> {
    const choices = choicesAt(weigh(this.#workspace, place.address));
    this.#say(`${place.label} ${place.title}: what goes back?`);
    this.#say(...choices.map(({ title, reason }, at) => `${at + 1}. ${title}${reason === null ? '' : `, not possible: ${reason}`}`));
    const choice = choices[Number(await this.#ask(`A number, or nothing to ${RETURN}:`)) - 1];
    if (choice === undefined || choice.id === 'cancel') return false;
    if (choice.reason !== null) {
      this.#say(`Not possible: ${choice.reason}`);
      return false;
    }
    const order = orderFor(place, choice.id, { keepMine: null, onConflict: null });
    if (order === null) return false;
    const limited = choice.id === 'files' ? await this.#limit(order) : order;
    return limited !== null && this.#confirm(limited);
  }

  async #limit(order: Order): Promise<Order | null> {
    const { files } = await prepare(this.#workspace, order, SILENT);
    this.#say(...files.map(({ type, path }, at) => `${at + 1}. ${type} ${showPath(path)}`));
    const chosen = numbersIn(await this.#ask(`Which? Numbers such as 1,3-5, or nothing to ${RETURN}:`));
    const only = files.filter((_, at) => chosen(at + 1)).map(({ path }) => path);
    if (only.length === 0 || order.do !== 'rewind') return null;
    return { ...order, only };
  }

  /** Shows the plan, and does exactly that, if somebody says yes to it. */
  async #confirm(order: Order): Promise<boolean> {
    const prepared = await prepare(this.#workspace, order, SILENT);
    this.#say(...prepared.lines, ...(prepared.refusal === null ? [] : [prepared.refusal]));
    const answer = await this.#ask(questionAbout(prepared));
    if (order.do === 'rewind' && answer === 'm' && prepared.hasMine) return this.#confirm({ ...order, keepMine: !prepared.keepsMine });
    if (order.do === 'rewind' && prepared.conflicts > 0 && isChoice(answer)) return this.#confirm({ ...order, onConflict: answer });
    if (!/^y(es)?$/i.test(answer) || prepared.refusal !== null) {
      this.#say('Nothing was changed');
      return false;
    }
    return this.#apply(order, prepared);
  }

  async #apply(order: Order, prepared: Prepared): Promise<boolean> {
    try {
      const { lines, onward, rollback } = await fulfil(this.#workspace, prepared, SILENT);
      this.#say(...lines, ...onward);
      if (rollback === null || (await this.#ask('u to undo this, anything else to quit:')) !== 'u') return true;
      return this.#confirm({ do: 'undo', rollback });
    } catch (error) {
      if (describeError(error).code !== 'workspace-moved') throw error;
      this.#say('The workspace changed since this plan was shown; nothing was changed. This is the new plan:');
      return this.#confirm(order);
    }
  }

  #say(...lines: readonly string[]): void {
    for (const one of lines) print(steady(stripVTControlCharacters(one)));
  }

  async #ask(question: string): Promise<string> {
    process.stdout.write(`${question} `);
    const { value, done } = await this.#answers.next();
    if (done) {
      print();
      throw new NoMore();
    }
    return String(value).trim();
  }
}

const isChoice = (text: string): text is MergeChoice => MERGE_CHOICES.some((choice) => choice === text);

const questionAbout = ({ hasMine, keepsMine, conflicts, refusal }: Prepared): string => {
  const offers = [
    ...(refusal === null ? ['y to do it'] : []),
    ...(hasMine ? [`m to ${keepsMine ? 'give up' : 'keep'} your own edits`] : []),
    ...(conflicts > 0 ? [`${MERGE_CHOICES.join(', ')} for where both changed the same lines`] : []),
  ];
  return offers.length === 0 ? `Enter to ${RETURN}:` : `${offers.join(', ')}, anything else to cancel and ${RETURN}:`;
};

const line = (number: string, { label, title, at }: Place, details: Details | undefined): string => {
  const { counts = null, marks = [] } = details ?? {};
  const amount = counts === null ? '' : `, ${count(counts.changed, 'file')} +${counts.insertions} -${counts.deletions}`;
  return `${number}. ${label}, ${at === null ? 'time not known' : relativeTime(at)}${amount}${marks.map((mark) => `, ${mark}`).join('')}: ${title}`;
};

/** What `1,3-5` names. */
const numbersIn = (text: string): ((number: number) => boolean) => {
  const ranges = text.split(',').map((part) => part.trim().split('-').map(Number));
  return (number) => ranges.some(([from = 0, to = from]) => from <= number && number <= to);
};
