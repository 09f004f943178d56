import type { MessageId, SessionId } from '../model/index.ts';
import { byAge } from './age.ts';
import { withoutCircles } from './circles.ts';
import type { Outline, OutlinedPrompt, Spot } from './outline.ts';
import { byTime, type PlacedTurn } from './placed-turn.ts';
import { type OriginalOf, originals } from './same-message.ts';

export interface Merged {
  /** Oldest first. None is above itself. */
  readonly turns: ReadonlyMap<MessageId, PlacedTurn>;
  /** Oldest first. */
  readonly sessions: readonly MergedSession[];
  readonly original: OriginalOf;
}

interface MergedSession {
  readonly session: SessionId;
  /** The prompts that have no turn above them in this session. */
  readonly beginnings: readonly (readonly [MessageId, Spot])[];
  readonly leaf: MessageId | null;
}

/** What one session says of a prompt. */
interface Account {
  readonly prompt: OutlinedPrompt;
  readonly spot: Spot;
  readonly outline: Outline;
}

/** The order in which outlines come does not matter. */
export const merge = (outlines: readonly Outline[]): Merged => {
  const original = originals(outlines);
  const accounts = accountsOf(outlines, original);
  const files = [...outlines].sort(byAge((prompt) => isShared(accounts.get(original(prompt)) ?? [])));
  const ages = new Map(files.map((file, age) => [file, age]));
  const ageOf = ({ outline }: Account): number => ages.get(outline) ?? 0;
  const placed: PlacedTurn[] = [];
  for (const [id, told] of accounts) placed.push(together(id, told.length === 1 ? told : told.sort((a, b) => ageOf(a) - ageOf(b))));
  placed.sort(byTime);
  const behind = placesOfSummaries(files, placed, accounts, original);
  const turns = behind.size === 0 ? placed : placed.map((each) => placedBehind(each, behind));
  const sessions = files.map(({ session, prompts, leaf }): MergedSession => {
    const beginnings = prompts.filter(({ parent }) => parent === null);
    return {
      session,
      beginnings: beginnings.map((prompt) => [original(prompt.id), originalSpot(prompt, original)]),
      leaf: leaf && original(leaf),
    };
  });
  return { turns: withoutCircles(turns), sessions, original };
};

const accountsOf = (outlines: readonly Outline[], original: OriginalOf): Map<MessageId, Account[]> => {
  const accounts = new Map<MessageId, Account[]>();
  for (const outline of outlines)
    for (const prompt of outline.prompts) {
      const id = original(prompt.id);
      const account = { prompt, spot: originalSpot(prompt, original), outline };
      const told = accounts.get(id);
      if (told === undefined) accounts.set(id, [account]);
      else told.push(account);
    }
  return accounts;
};

const isShared = (told: readonly Account[]): boolean => told.some(({ outline }) => outline !== told[0]?.outline);

const originalSpot = (spot: Spot, original: OriginalOf): Spot => {
  const anchor = spot.anchor && original(spot.anchor);
  const parent = spot.parent && original(spot.parent);
  const summary = spot.summary && original(spot.summary);
  if (anchor === spot.anchor && parent === spot.parent && summary === spot.summary) return spot;
  return { anchor, parent, place: spot.place, summary, isOrphan: spot.isOrphan };
};

const placedBehind = (each: PlacedTurn, summaries: ReadonlyMap<MessageId, Spot>): PlacedTurn => {
  const spot = each.spot.summary === null ? undefined : summaries.get(each.spot.summary);
  return spot === undefined ? each : { ...each, spot };
};

const together = (id: MessageId, told: readonly Account[]): PlacedTurn => {
  const [first] = told as [Account];
  if (told.length === 1) return placedTurn(id, first);
  const prompts = told.map(({ prompt }) => prompt);
  const written = told.find(({ prompt }) => !prompt.isCopy) ?? first;
  const most = (count: (prompt: OutlinedPrompt) => number): number => prompts.reduce((sum, each) => Math.max(sum, count(each)), 0);
  const { turn, isHandOver } = placedTurn(id, written);
  return {
    turn: {
      ...turn,
      promptIds: [...new Set(prompts.flatMap(({ promptId }) => promptId ?? []))],
      messages: most(({ messages }) => messages),
      tools: most(({ tools }) => tools),
      last: prompts.map(({ last }) => last).reduce((newest, each) => ((each.at ?? '') > (newest.at ?? '') ? each : newest)),
      sessions: [...new Set([written, ...told].map(({ outline }) => outline.session))],
    },
    spot: bestSpot(told),
    isHandOver,
    replies: most(({ replies }) => replies),
  };
};

const placedTurn = (id: MessageId, { prompt, spot, outline }: Account): PlacedTurn => ({
  turn: {
    id,
    promptIds: prompt.promptId === null ? [] : [prompt.promptId],
    title: prompt.title,
    at: prompt.at,
    messages: prompt.messages,
    tools: prompt.tools,
    last: prompt.last,
    sessions: [outline.session],
  },
  spot,
  isHandOver: prompt.isHandOver,
  replies: prompt.replies,
});

/** A file may lack what came before, so one that has it knows better; then the file that a prompt was written in. */
const bestSpot = (told: readonly Account[]): Spot => {
  const retentionClass = ({ spot, prompt }: Account): number => {
    const known = spot.parent !== null ? 4 : spot.anchor !== null ? 3 : spot.summary !== null ? 2 : spot.isOrphan ? 0 : 1;
    return known * 2 + (prompt.isCopy ? 0 : 1);
  };
  return told.reduce((best, each) => (retentionClass(each) > retentionClass(best) ? each : best)).spot;
};

/**
 * A summary that a file begins with stands for what another file has: the one that was compacted, or the one that the prompt after
 * the summary was written in.
 */
const placesOfSummaries = (
  files: readonly Outline[],
  turns: readonly PlacedTurn[],
  accounts: ReadonlyMap<MessageId, readonly Account[]>,
  original: OriginalOf,
): ReadonlyMap<MessageId, Spot> => {
  const places = new Map<MessageId, Spot>();
  const note = (summary: MessageId, spot: Spot): void => void (places.has(summary) || places.set(summary, spot));
  for (const { summaries } of files) for (const summary of summaries) note(original(summary.id), originalSpot(summary, original));
  for (const { turn, spot } of turns) {
    if (spot.anchor === null || turn.sessions.length === 1) continue;
    for (const { spot: here } of accounts.get(turn.id) ?? []) if (here.summary !== null) note(here.summary, spot);
  }
  return places;
};
