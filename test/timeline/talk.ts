import fc from '../support/property.ts';
import { boundary, type Line, prompt } from '../transcript/support.ts';
import { type Part, TurnWriter } from './turn-writer.ts';

/** One thing that happens in a talk; the numbers choose among what there is to choose from. */
export interface Happening {
  readonly what: 'start' | 'say' | 'rewind' | 'fork' | 'branch' | 'sdk' | 'cut' | 'clip' | 'compact' | 'hand-over' | 'lost';
  readonly file: number;
  readonly turn: number;
  readonly replies: number;
  readonly isInterrupted: boolean;
  readonly spice: readonly number[];
}

export const happenings = fc.array(
  fc.record<Happening>({
    what: fc.constantFrom(
      'start',
      'say',
      'say',
      'say',
      'rewind',
      'rewind',
      'fork',
      'branch',
      'sdk',
      'cut',
      'clip',
      'compact',
      'hand-over',
      'lost',
    ),
    file: fc.nat(9),
    turn: fc.nat(9),
    replies: fc.nat(3),
    isInterrupted: fc.boolean(),
    spice: fc.array(fc.nat(99), { minLength: 1, maxLength: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What a person really said, and where: the truth that detection is held against. */
export interface Said {
  readonly id: string;
  /** A name for the place it goes out from. */
  readonly place: string;
  readonly after: Said | null;
}

/** A turn as one file has it. */
interface Entry {
  readonly said: Said;
  readonly above: Entry | null;
  /** The line that the prompt follows. */
  readonly from: string | null;
  /** The prompt's lines, then those of each reply, with all that stands around them. */
  readonly parts: readonly Part[];
  /** What a compaction after it wrote. */
  compaction: Line[];
  /** The line that the next prompt follows. */
  tip: string;
  /** The name of that place. */
  readonly place: string;
}

export interface TalkFile {
  readonly session: string;
  readonly lines: Line[];
  readonly entries: Entry[];
  current: Entry;
}

/** Plays happenings as Claude Code would write them down. */
export class Talk {
  readonly files: TalkFile[] = [];
  readonly said: Said[] = [];
  #count = 0;

  constructor(all: readonly Happening[]) {
    for (const each of all) this.#play(each);
  }

  #play(happening: Happening): void {
    const file = this.files[happening.file % this.files.length];
    const entry = file?.entries[happening.turn % file.entries.length];
    if (file === undefined || entry === undefined) {
      this.#start(happening);
      return;
    }
    switch (happening.what) {
      case 'start':
        this.#start(happening);
        break;
      case 'say':
        this.#follow(file, happening);
        break;
      case 'rewind':
        // Before a plan that was handed over, or behind what is lost, there is no place to go back to.
        if (entry.parts.length > 0 && !entry.said.place.startsWith('alone'))
          this.#say(file, { above: entry.above, from: entry.from, place: entry.said.place, after: entry.said.after }, happening);
        break;
      case 'hand-over':
        this.#say(file, { above: null, from: null, place: this.#name('alone'), after: null }, happening, 'Implement the following plan: …');
        break;
      case 'lost':
        this.#say(file, { above: null, from: this.#name('gone'), place: this.#name('alone'), after: null }, happening);
        break;
      case 'compact':
        this.#compact(file);
        break;
      default:
        this.#follow(this.#copy(file, entry, happening), happening);
    }
  }

  #start(happening: Happening): void {
    const file = { session: this.#name('session'), lines: [], entries: [], current: undefined as unknown as Entry };
    this.files.push(file);
    this.#say(file, { above: null, from: null, place: this.#name('beginning'), after: null }, happening);
  }

  #follow(file: TalkFile, happening: Happening): void {
    const { current } = file;
    this.#say(file, { above: current, from: current.tip, place: current.place, after: current.said }, happening);
  }

  #say(
    file: TalkFile,
    { above, from, place, after }: Pick<Entry, 'above' | 'from'> & Pick<Said, 'place' | 'after'>,
    { what, replies, isInterrupted, spice }: Happening,
    text?: string,
  ): void {
    const id = this.#name('p');
    const promptId = this.#name('turn');
    // The client gives the copies in a forked session the id of the first turn that is new.
    if (what === 'fork' || what === 'clip') for (const line of file.lines) if (line.type === 'user') line.promptId = promptId;
    const writer = new TurnWriter((line) => this.#stamp(line, file), file, promptId, spice, from);
    const parts: Part[] = [];
    writer.own(prompt(id, from, text ?? `say ${id}`, { promptId }));
    writer.around(false);
    for (let count = 1; count <= replies; count++) {
      parts.push(writer.part());
      const isLast = count === replies;
      writer.reply(isLast && !isInterrupted ? 0 : 1 + writer.pick(3));
      writer.around(!isLast);
    }
    if (isInterrupted) writer.own(prompt(this.#name('stop'), writer.tip, '[Request interrupted by user]'));
    writer.around(false);
    parts.push(writer.part());
    const saying: Said = { id, place, after };
    this.said.push(saying);
    const entry: Entry = { said: saying, above, from, parts, compaction: [], tip: writer.tip, place: `end of ${id}` };
    file.entries.push(entry);
    file.current = entry;
  }

  #compact(file: TalkFile): void {
    const { current } = file;
    const [edge, summary, echo] = [this.#name('edge'), this.#name('summary'), this.#name('echo')];
    const lines = [
      boundary(edge, current.tip),
      prompt(summary, edge, 'What was before.', { isCompactSummary: true }),
      prompt(echo, summary, '<command-name>/compact</command-name>'),
    ].map((line) => this.#stamp(line, file));
    file.lines.push(...lines);
    current.compaction = [...current.compaction, ...lines];
    current.tip = echo;
  }

  /** A new file with the way to a turn: all of it, its turn cut in the middle, or only what follows the last compaction. */
  #copy(source: TalkFile, target: Entry, { what, replies }: Happening): TalkFile {
    const way: Entry[] = [];
    for (let entry: Entry | null = target; entry !== null; entry = entry.above) way.unshift(entry);
    const clipped = what === 'clip' ? way.findLastIndex(({ compaction }) => compaction.length > 0) : -1;
    const session = this.#name('session');
    const ids = new Map<string, string>();
    const renamed = (id: string): string => ids.get(id) ?? id;
    const moved = (line: Line): Line => {
      const uuid = line.uuid as string;
      if (what === 'sdk') ids.set(uuid, this.#name('copy'));
      const from = what === 'branch' || what === 'sdk' ? { forkedFrom: { sessionId: source.session, messageUuid: uuid } } : {};
      const parentUuid = line.parentUuid === null ? null : renamed(line.parentUuid as string);
      const logical = line.logicalParentUuid === undefined ? {} : { logicalParentUuid: renamed(line.logicalParentUuid as string) };
      return { ...line, ...from, ...logical, uuid: renamed(uuid), parentUuid, sessionId: session };
    };
    const movedAll = (lines: readonly Line[]): Line[] => {
      const once = new Map(
        lines.filter(({ uuid, isSidechain }) => uuid !== undefined && isSidechain !== true).map((line) => [line.uuid, line]),
      );
      return [...once.values()].map(moved);
    };
    const file = { session, lines: [] as Line[], entries: [] as Entry[], current: undefined as unknown as Entry };
    let above: Entry | null = null;
    for (const entry of way.slice(Math.max(clipped, 0))) {
      const isCut = what === 'cut' && entry === target && entry.parts.length > 2;
      const count = isCut ? 2 + (replies % (entry.parts.length - 2)) : entry.parts.length;
      const parts: Part[] =
        entry === way[clipped] ? [] : entry.parts.slice(0, count).map((part) => ({ lines: movedAll(part.lines), tip: renamed(part.tip) }));
      const compaction = isCut ? [] : movedAll(entry.compaction);
      const copy: Entry = {
        said: entry.said,
        above,
        from: entry.from && renamed(entry.from),
        parts,
        compaction,
        tip: isCut ? (parts.at(-1) as Part).tip : renamed(entry.tip),
        place: isCut ? `behind reply ${count - 1} of ${entry.said.id}` : entry.place,
      };
      file.lines.push(...parts.flatMap(({ lines }) => lines), ...compaction);
      file.entries.push(copy);
      file.current = copy;
      above = copy;
    }
    this.files.push(file);
    return file;
  }

  /** A name that was not there before. */
  #name(kind: string): string {
    return `${kind}-${++this.#count}`;
  }

  #stamp(line: Line, { session }: TalkFile): Line {
    return { ...line, sessionId: session, timestamp: new Date(Date.UTC(2026, 0, 1) + 1000 * ++this.#count).toISOString() };
  }
}
