import type { MessageId, SessionId } from '../model/index.ts';
import { Family } from './family.ts';
import type { Outline, Spot } from './outline.ts';

/** What two outlines have in common that are of one family: a message, or the session. */
type Name = MessageId | SessionId;

/**
 * Outlines by what they have in common. What is told of a family depends on no other one: where a conversation goes on, all the others are
 * as they were.
 */
export class Families {
  readonly all: ReadonlySet<Family>;
  readonly #byName: ReadonlyMap<Name, Family>;

  private constructor(all: ReadonlySet<Family>, byName: ReadonlyMap<Name, Family>) {
    this.all = all;
    this.#byName = byName;
  }

  /** `before` are those of other outlines, or of some that are the same: what is the same in both is taken from there. */
  static of(outlines: readonly Outline[], before = new Families(new Set(), new Map())): Families {
    const given = new Set(outlines);
    const kept = new Set([...before.all].filter((family) => family.outlines.every((outline) => given.has(outline))));
    for (const family of kept) for (const outline of family.outlines) given.delete(outline);
    const loose = [...given];
    // Whoever has something in common with them is to be told of anew, too.
    const loosen = (name: Name): void => {
      const family = before.#byName.get(name);
      if (family !== undefined && kept.delete(family)) loose.push(...family.outlines);
    };
    for (const outline of loose) forEachName(outline, loosen);
    const byName = kept.size === 0 ? new Map<Name, Family>() : new Map(before.#byName);
    for (const family of before.all)
      if (kept.size > 0 && !kept.has(family)) for (const outline of family.outlines) forEachName(outline, (name) => byName.delete(name));
    return new Families(new Set([...kept, ...together(loose, byName)]), byName);
  }

  with(name: Name): Family | undefined {
    return this.#byName.get(name);
  }
}

/** The families of some outlines, also noted by their names. */
const together = (outlines: readonly Outline[], byName: Map<Name, Family>): Iterable<Family> => {
  const above = outlines.map((_, at) => at);
  const headOf = (outline: number): number => {
    let at = outline;
    // Halves the way for the next one who asks.
    for (let up = above[at] as number; up !== at; up = above[at] as number) at = above[at] = above[up] as number;
    return at;
  };
  const firstWith = new Map<Name, number>();
  for (const [at, outline] of outlines.entries())
    forEachName(outline, (name) => {
      const first = firstWith.get(name);
      if (first === undefined) firstWith.set(name, at);
      else if (first !== at) above[headOf(at)] = headOf(first);
    });
  const families = new Map<number, Family>();
  for (const [head, members] of Map.groupBy(outlines.keys(), headOf)) {
    families.set(head, new Family(members.map((at) => outlines[at] as Outline)));
  }
  for (const [name, at] of firstWith) byName.set(name, families.get(headOf(at)) as Family);
  return families.values();
};

const forEachName = ({ session, prompts, summaries, copies, leaf }: Outline, note: (name: Name) => void): void => {
  const noteSpot = ({ anchor, parent, summary }: Spot): void => {
    if (anchor !== null) note(anchor);
    if (parent !== null) note(parent);
    if (summary !== null) note(summary);
  };
  note(session);
  if (leaf !== null) note(leaf);
  for (const placed of [prompts, summaries])
    for (const each of placed) {
      note(each.id);
      noteSpot(each);
    }
  for (const [here, there] of copies) {
    note(here);
    note(there);
  }
};
