import { type MessageId, RetakeError } from '../../model/index.ts';
import type { Cut } from '../format.ts';
import type { Structure } from './conversation.ts';
import type { Node } from './fold.ts';
import type { ChainLine } from './line.ts';

/** The messages of a new session, root first, and their lines, parents first: the last line is the one to go on from. */
export interface Kept {
  readonly nodes: readonly Node[];
  readonly lines: readonly ChainLine[];
  /** How many messages of the branch are left out. */
  readonly dropped: number;
}

export const nodeAt = (structure: Structure, cut: Cut): Node => {
  const id: MessageId = 'before' in cut ? cut.before : cut.through;
  const node = structure.byId.get(id);
  if (node === undefined) throw new RetakeError('unknown-id', `There is no message ${id} in this session`);
  return node;
};

export const keptUpTo = (structure: Structure, cut: Cut): Kept => {
  const node = nodeAt(structure, cut);
  const nodes = branch('before' in cut ? node.parent : node);
  const above = structure.parentOf(node.first);
  const ends = 'through' in cut ? structure.ordered.filter((line) => isPartOf(structure, line, node)) : above === undefined ? [] : [above];
  const whole = branch(structure.ownerOf.get(endOf(structure, node)) ?? node);
  return {
    nodes,
    lines: linesOf(structure, nodes, ends, 'through' in cut ? node : undefined),
    dropped: whole.length - nodes.length,
  };
};

export const keptFrom = (structure: Structure, cut: Cut): Kept => {
  const node = nodeAt(structure, cut);
  const end = endOf(structure, node);
  const dropped = new Set(branch('before' in cut ? node.parent : node));
  const nodes = branch(structure.ownerOf.get(end) ?? node).filter((each) => !dropped.has(each));
  return { nodes, lines: linesOf(structure, nodes, [end], undefined), dropped: dropped.size };
};

/**
 * Of each message all its lines, with those that tie them together. Beside the path to the ends there may be more of these, such as
 * notes of hooks: they pass, but not behind the ends, because an agent goes on from the last line, and not those of `bare`.
 */
const linesOf = (structure: Structure, nodes: readonly Node[], ends: readonly ChainLine[], bare: Node | undefined): ChainLine[] => {
  const wanted = new Set(nodes);
  const sideChain = nodes[0]?.first.sideChain;
  const path = new Set<ChainLine>();
  for (const end of ends)
    for (let line: ChainLine | undefined = end; line !== undefined && !path.has(line); line = structure.parentOf(line)) path.add(line);
  const last = structure.ordered.findLastIndex((line) => path.has(line));
  return structure.ordered.filter((line, index) => {
    const owner = structure.ownerOf.get(line);
    if (owner === undefined || !wanted.has(owner) || line.sideChain !== sideChain) return false;
    if (line.says.type === 'link') return path.has(line) || (index < last && owner !== bare);
    return isPartOf(structure, line, owner);
  });
};

/** A result that answers no call of the file is part of nothing. */
export const isPartOf = (structure: Structure, line: ChainLine, node: Node): boolean => {
  if (structure.ownerOf.get(line) !== node || line.says.type === 'link') return false;
  return line.says.type !== 'results' || [...line.says.results.keys()].some((call) => node.calls.has(call));
};

const branch = (end: Node | null): Node[] => {
  const nodes: Node[] = [];
  for (let node = end; node !== null; node = node.parent) nodes.push(node);
  return nodes.reverse();
};

/** The line that a branch through this message ends with: the active one, or the newest. */
const endOf = (structure: Structure, node: Node): ChainLine => {
  const below = new Set([node]);
  // Parents come first among the nodes.
  for (const each of structure.byId.values()) if (each.parent !== null && below.has(each.parent)) below.add(each);
  const isBelow = (line: ChainLine | undefined): line is ChainLine => {
    const owner = line && structure.ownerOf.get(line);
    return owner !== undefined && below.has(owner);
  };
  return isBelow(structure.leaf) ? structure.leaf : (structure.lines.findLast(isBelow) ?? node.first);
};
