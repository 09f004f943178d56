import { randomUUID } from 'node:crypto';
import { type MessageId, RetakeError } from '../../model/index.ts';
import type { ContinuationRequest, Cut } from '../format.ts';
import type { Span } from '../line-reader.ts';
import type { Structure } from './conversation.ts';
import type { Node } from './fold.ts';
import type { ChainLine, FlatLine } from './line.ts';
import { summaryFirst, summaryLast } from './summary.ts';

export interface ContinuationPlan {
  readonly lines: readonly PlannedLine[];
  /** A line of the old file whose surroundings (directory, version …) the made lines share. */
  readonly template: Span;
  readonly messages: number;
  /** The tool calls that are kept. */
  readonly calls: ReadonlySet<string>;
  /** The client's copies of users' files that kept lines name. */
  readonly backups: ReadonlySet<string>;
}

export type PlannedLine =
  /** Bytes of the old file, with some fields changed. */
  | { readonly type: 'copied'; readonly span: Span; readonly changes: ReadonlyMap<string, string | null> }
  | { readonly type: 'made'; readonly fields: Readonly<Record<string, unknown>> };

/** Chooses the lines of a new session: those of the messages on one branch, up to the cut or from it on. */
export const planContinuation = (structure: Structure, { cut, summary }: ContinuationRequest, path: string): ContinuationPlan | null => {
  const node = nodeAt(structure, cut);
  const kept = summary?.of === 'before' ? after(structure, cut, node) : upTo(structure, cut, node);
  if (summary === undefined && !kept.nodes.some((each) => each.kind !== 'notice')) return null;

  const chain = structure.lines.filter((line) => kept.has(line));
  const summarized = summary === undefined ? 0 : summarizedCount(structure, cut, node, summary.of);
  const compaction =
    summary &&
    (summary.of === 'before' ? summaryFirst(summary.text, path, summarized) : summaryLast(summary.text, path, summarized, chain));
  const root = summary?.of === 'before' ? (compaction?.summary ?? null) : null;
  const flat = keptFlat(structure, chain);
  const copied = [...withResults(structure, kept.nodes, chain, root), ...flat.map(asItIs)].sort((a, b) => a.at - b.at);
  const lines = copied.map(({ line }) => line);
  return {
    lines: summary?.of === 'before' ? [...(compaction?.lines ?? []), ...lines] : [...lines, ...(compaction?.lines ?? [])],
    template: chain.at(-1) ?? node.first,
    messages: kept.nodes.length + (summary === undefined ? 0 : 1),
    calls: new Set(kept.nodes.flatMap((each) => [...each.calls.keys()])),
    backups: new Set(flat.flatMap((line) => line.backups)),
  };
};

interface Kept {
  readonly nodes: readonly Node[];
  has(line: ChainLine): boolean;
}

const nodeAt = (structure: Structure, cut: Cut): Node => {
  const id: MessageId = 'before' in cut ? cut.before : cut.through;
  const node = structure.byId.get(id);
  if (node === undefined) throw new RetakeError('unknown-id', `There is no message ${id} in this session`);
  return node;
};

const upTo = (structure: Structure, cut: Cut, node: Node): Kept => {
  const last = 'before' in cut ? node.parent : node;
  const above = 'before' in cut ? structure.parentOf(node.first) : undefined;
  const ends = 'before' in cut ? (above === undefined ? [] : [above]) : structure.lines.filter((line) => isPartOf(structure, line, node));
  return keep(structure, branch(last), ends, 'through' in cut ? node : undefined, node.first.sideChain);
};

const after = (structure: Structure, cut: Cut, node: Node): Kept => {
  const end = endOf(structure, node);
  const dropped = new Set(branch('before' in cut ? node.parent : node));
  const nodes = end === undefined ? [] : branch(structure.ownerOf.get(end) ?? null).filter((each) => !dropped.has(each));
  return keep(structure, nodes, end === undefined ? [] : [end], undefined, node.first.sideChain);
};

const summarizedCount = (structure: Structure, cut: Cut, node: Node, part: 'rest' | 'before'): number => {
  const prefix = branch('before' in cut ? node.parent : node).length;
  if (part === 'before') return prefix;
  const end = endOf(structure, node);
  return branch((end && structure.ownerOf.get(end)) ?? node).length - prefix;
};

/**
 * Of each message all its lines, with those that tie them together. Beside the path to the end there may be more of these, such as
 * notes of hooks: they pass, but not behind the end, because an agent goes on from the last line.
 */
const keep = (
  structure: Structure,
  nodes: readonly Node[],
  ends: readonly ChainLine[],
  bare: Node | undefined,
  sideChain: boolean,
): Kept => {
  const wanted = new Set(nodes);
  const path = new Set<ChainLine>();
  for (const end of ends)
    for (let line: ChainLine | undefined = end; line && !path.has(line); line = structure.parentOf(line)) path.add(line);
  const last = Math.max(-1, ...ends.map((line) => line.start));
  return {
    nodes,
    has: (line) => {
      const owner = structure.ownerOf.get(line);
      if (owner === undefined || !wanted.has(owner) || line.sideChain !== sideChain) return false;
      if (line.says.type === 'link') return path.has(line) || (line.start < last && owner !== bare);
      return isPartOf(structure, line, owner);
    },
  };
};

/** A result that answers no call of the file is part of nothing. */
const isPartOf = (structure: Structure, line: ChainLine, node: Node): boolean => {
  if (structure.ownerOf.get(line) !== node || line.says.type === 'link') return false;
  return line.says.type !== 'results' || [...line.says.results.keys()].some((call) => node.calls.has(call));
};

const branch = (end: Node | null): Node[] => {
  const nodes: Node[] = [];
  for (let node = end; node !== null; node = node.parent) nodes.push(node);
  return nodes.reverse();
};

const isBelow = (node: Node | undefined, above: Node): boolean => node !== undefined && branch(node).includes(above);

/** The line a branch through this message ends with: the active one, or the newest. */
const endOf = (structure: Structure, node: Node): ChainLine | undefined =>
  structure.leaf && isBelow(structure.ownerOf.get(structure.leaf), node)
    ? structure.leaf
    : structure.lines.findLast((line) => isBelow(structure.ownerOf.get(line), node));

interface Placed {
  readonly at: number;
  readonly line: PlannedLine;
}

/** The kept lines, each following one that is kept too, and an answer for each call that never got one. */
const withResults = (structure: Structure, nodes: readonly Node[], chain: readonly ChainLine[], root: string | null): Placed[] => {
  const here = new Set(chain);
  const ids = new Set(chain.map((line) => line.uuid));
  const answers = new Map(nodes.flatMap((node) => answerTo(structure, node, chain)).map((answer) => [answer.node, answer]));

  const follows = (line: ChainLine): string | null => {
    let above = structure.parentOf(line);
    while (above !== undefined && !here.has(above)) above = structure.parentOf(above);
    if (above === undefined) return root;
    const owner = structure.ownerOf.get(above);
    const answer = owner && isPartOf(structure, above, owner) && !isPartOf(structure, line, owner) ? answers.get(owner) : undefined;
    if (answer !== undefined) return answer.uuid;
    // A compaction may name another line than the one it follows: let it.
    return line.parent !== null && ids.has(line.parent) && line.preserved !== null ? line.parent : above.uuid;
  };

  return [
    ...chain.map((line): Placed => {
      const parent = follows(line);
      const changes = parent === line.parent ? new Map<string, string | null>() : new Map([[line.parentField, parent]]);
      return { at: line.start, line: { type: 'copied', span: line, changes } };
    }),
    ...[...answers.values()].map(({ at, fields }): Placed => ({ at, line: { type: 'made', fields } })),
  ];
};

interface Answer {
  readonly node: Node;
  readonly at: number;
  readonly uuid: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const answerTo = (structure: Structure, node: Node, chain: readonly ChainLine[]): Answer[] => {
  const open = [...node.calls.keys()].filter((call) => !node.results.has(call));
  const last = chain.findLast((line) => isPartOf(structure, line, node));
  if (open.length === 0 || last === undefined) return [];
  const uuid = randomUUID();
  const content = open.map((call) => ({
    tool_use_id: call,
    type: 'tool_result',
    content: 'Interrupted: there is no result.',
    is_error: true,
  }));
  const fields = { parentUuid: last.uuid, isSidechain: node.first.sideChain, type: 'user', message: { role: 'user', content }, uuid };
  // Half a byte further, so that it comes next.
  return [{ node, at: last.start + 0.5, uuid, fields }];
};

/** Lines outside of the tree pass when they speak of lines that are kept, or of none and stand among them. */
const keptFlat = (structure: Structure, chain: readonly ChainLine[]): FlatLine[] => {
  const here = new Set(chain.map((line) => line.uuid));
  const last = chain.at(-1)?.start ?? -1;
  let next = 0;
  let amongKept = true;
  return structure.flat.filter((line) => {
    for (let before = structure.lines[next]; before !== undefined && before.start < line.start; before = structure.lines[++next])
      amongKept = here.has(before.uuid);
    return line.about.length > 0 ? line.about.every((uuid) => here.has(uuid)) : amongKept && line.start < last;
  });
};

const asItIs = (line: Span): Placed => ({ at: line.start, line: { type: 'copied', span: line, changes: new Map() } });
