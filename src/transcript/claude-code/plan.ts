import { randomUUID } from 'node:crypto';
import type { ContinuationRequest } from '../format.ts';
import type { Span } from '../line-reader.ts';
import type { Structure } from './conversation.ts';
import type { Node } from './fold.ts';
import { isPartOf, type Kept, keptFrom, keptUpTo, nodeAt } from './kept.ts';
import type { ChainLine, FlatLine } from './line.ts';
import { type Compaction, summaryFirst, summaryLast } from './summary.ts';

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

/** What a continuation of the session at `path` consists of; null when nothing would be left to resume. */
export const planContinuation = (structure: Structure, request: ContinuationRequest, path: string): ContinuationPlan | null => {
  const { cut, summary } = request;
  if (summary?.of === 'before') {
    const kept = keptFrom(structure, cut);
    const compaction = summaryFirst(summary.text, path, kept.dropped);
    const { lines, ...rest } = planOf(structure, request, kept, compaction);
    return { lines: [...compaction.lines, ...lines], ...rest };
  }
  const kept = keptUpTo(structure, cut);
  if (summary !== undefined) {
    const compaction = summaryLast(summary.text, path, kept.dropped, kept.lines);
    const { lines, ...rest } = planOf(structure, request, kept, undefined);
    return { lines: [...lines, ...compaction.lines], ...rest };
  }
  return kept.nodes.some((node) => node.kind !== 'notice') ? planOf(structure, request, kept, undefined) : null;
};

const planOf = (
  structure: Structure,
  { cut, summary }: ContinuationRequest,
  kept: Kept,
  above: Compaction | undefined,
): ContinuationPlan => {
  const flat = keptFlat(structure, kept.lines);
  const answers = kept.nodes.flatMap((node) => answerTo(structure, node, kept.lines));
  const following = (line: ChainLine | null): PlannedLine[] => [
    ...answers.filter((answer) => answer.after === line).map(({ fields }): PlannedLine => ({ type: 'made', fields })),
    ...(flat.get(line) ?? []).map((each): PlannedLine => ({ type: 'copied', span: each, changes: new Map() })),
  ];
  const parentOf = parents(structure, kept.lines, answers, above?.summary ?? null);
  return {
    lines: [
      ...following(null),
      ...kept.lines.flatMap((line): PlannedLine[] => {
        const parent = parentOf(line);
        const changes = new Map(parent === line.parent ? [] : [[line.parentField, parent]]);
        return [{ type: 'copied', span: line, changes }, ...following(line)];
      }),
    ],
    template: kept.lines.at(-1) ?? nodeAt(structure, cut).first,
    messages: kept.nodes.length + (summary === undefined ? 0 : 1),
    calls: new Set(kept.nodes.flatMap((node) => [...node.calls.keys()])),
    backups: new Set([...flat.values()].flat().flatMap((line) => line.backups)),
  };
};

/** The line that each kept line names as the one before it: itself kept, and after the answers that were made up. */
const parents = (structure: Structure, lines: readonly ChainLine[], answers: readonly Answer[], root: string | null) => {
  const here = new Set(lines);
  const places = new Map(lines.map((line, place) => [line.uuid, place]));
  const placeOf = (line: ChainLine): number => places.get(line.uuid) ?? 0;
  const answerOf = new Map(answers.map((answer) => [answer.node, answer]));
  return (line: ChainLine): string | null => {
    let above = structure.parentOf(line);
    while (above !== undefined && !here.has(above)) above = structure.parentOf(above);
    if (above === undefined) return root;
    const owner = structure.ownerOf.get(above);
    const answer = owner && isPartOf(structure, above, owner) && !isPartOf(structure, line, owner) ? answerOf.get(owner) : undefined;
    // What stands between the lines of the message that asked can't follow the answer, which comes after them.
    if (answer !== undefined && placeOf(answer.after) < placeOf(line)) return answer.uuid;
    // A compaction may name another line above than the one it follows: let it.
    const named = line.preserved === null || line.parent === null ? undefined : places.get(line.parent);
    return named !== undefined && named < placeOf(line) ? line.parent : above.uuid;
  };
};

/** A made-up result for calls that never got one, without which the model's side refuses the conversation. */
interface Answer {
  readonly node: Node;
  readonly uuid: string;
  readonly after: ChainLine;
  readonly fields: Readonly<Record<string, unknown>>;
}

const answerTo = (structure: Structure, node: Node, lines: readonly ChainLine[]): Answer[] => {
  const open = [...node.calls.keys()].filter((call) => !node.results.has(call));
  if (open.length === 0) return [];
  const own = lines.filter((line) => isPartOf(structure, line, node));
  const [after, asked] = [own.at(-1), own.findLast((line) => line.says.type === 'reply')];
  if (after === undefined || asked === undefined) return [];
  const uuid = randomUUID();
  const content = open.map((call) => ({
    tool_use_id: call,
    type: 'tool_result',
    content: 'Interrupted: there is no result.',
    is_error: true,
  }));
  const fields = { parentUuid: asked.uuid, isSidechain: asked.sideChain, type: 'user', message: { role: 'user', content }, uuid };
  return [{ node, uuid, after, fields }];
};

/**
 * Lines outside of the tree pass when they speak of lines that are kept, or of none and stand among them; each stays behind the kept
 * line that it stood behind, or at the top.
 */
const keptFlat = (structure: Structure, lines: readonly ChainLine[]): Map<ChainLine | null, FlatLine[]> => {
  const here = new Set(lines);
  const ids = new Set(lines.map((line) => line.uuid));
  const last = lines.at(-1)?.start ?? -1;
  const kept = new Map<ChainLine | null, FlatLine[]>();
  let next = 0;
  let behind: ChainLine | null = null;
  let isAmong = true;
  for (const flat of structure.flat) {
    for (let line = structure.lines[next]; line !== undefined && line.start < flat.start; line = structure.lines[++next]) {
      isAmong = here.has(line);
      if (isAmong) behind = line;
    }
    const passes = flat.about.length > 0 ? flat.about.every((uuid) => ids.has(uuid)) : isAmong && flat.start < last;
    if (passes) kept.set(behind, [...(kept.get(behind) ?? []), flat]);
  }
  return kept;
};
