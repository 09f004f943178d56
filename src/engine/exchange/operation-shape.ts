import { AGENT_EVENT_KINDS, type Operation, ROLLBACK_KINDS, ROLLBACK_LEVELS, ROLLBACK_SCOPES } from '../../model/index.ts';
import {
  amount,
  bytes,
  count,
  directory,
  either,
  fields,
  flag,
  id,
  list,
  oneOf,
  orNull,
  parseJson,
  path,
  permissions,
  refName,
  type Shape,
  text,
  time,
  userObject,
  wellFormed,
} from './shapes.ts';

const COMMON = { sequence: (value: unknown) => count(value) && (value as number) > 0, session: text, createdAt: time, description: text };

const head = orNull(fields({ branch: orNull(refName), commit: orNull(userObject) }));
const staging = orNull(either(fields({ tree: userObject }), fields({ entries: id })));
const move = fields(
  { from: head, to: head, entries: list(fields({ from: orNull(userObject), to: orNull(userObject), message: text })) },
  { stash: oneOf('made', 'dropped') },
);
const git = fields(
  {
    staged: fields({ count, paths: list(text) }),
    underWay: orNull(text),
    stash: orNull(userObject),
    seen: fields({ index: text, reflog: count }),
  },
  { staging, move },
);
const position = fields({ head: (value) => value !== null && head(value), staging });
const gitChange = fields({
  from: position,
  to: position,
  refs: list(fields({ ref: refName, from: orNull(userObject), to: orNull(userObject) })),
});
const conversation = fields({ agent: text, directory: text, from: orNull(text), to: orNull(text) }, { turnsBefore: count });
const place = fields({ agent: text }, { promptId: text, toolUseId: text, tool: text, agentId: text, agentType: text });
const event = fields(
  { key: text, place, turn: count },
  {
    began: count,
    conversation: fields({ transcript: text, directory: text }),
    late: amount,
    untold: flag,
    added: flag,
    queued: text,
    beside: flag,
    touches: list(directory),
  },
);
const outside = list(fields({ path: wellFormed, content: orNull(fields({ blob: id, permissions })) }));

const checkpoint = fields(
  { ...COMMON, status: oneOf('complete', 'partial'), previous: orNull(id), head, bytesAdded: count },
  { name: text, note: text, git, event, outside },
);

const rollback = fields(
  {
    ...COMMON,
    target: id,
    safety: id,
    scope: oneOf(...ROLLBACK_SCOPES),
    journal: text,
    outcome: oneOf('complete', 'incomplete', 'taken-back'),
    changed: count,
    leftAlone: list(fields({ path: text, reason: text })),
  },
  {
    level: oneOf(...ROLLBACK_LEVELS),
    undoes: id,
    conversation,
    gitChange,
    head,
    git,
    only: list(text),
    hunks: list(fields({ path: text, count })),
    unkept: list(id),
    steps: list(id),
    partly: list(fields({ step: id, paths: list(directory) })),
    takesBack: list(id),
    left: fields({ steps: list(id), marked: list(path) }),
    commits: fields({
      asked: list(fields({ step: id, unit: id })),
      done: count,
      squash: flag,
      choices: list((value) => Array.isArray(value) && value.length === 2 && path(value[0]) && text(value[1])),
      rest: orNull(text),
    }),
    continues: id,
  },
);

const target = { ...COMMON, target: id };

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...[...AGENT_EVENT_KINDS, 'manual', 'safety'].map((kind) => [kind, checkpoint] as const),
  ...ROLLBACK_KINDS.map((kind) => [kind, rollback] as const),
  ['fork', fields({ ...target, conversation }, { name: text, summary: oneOf('from', 'upto') })],
  [
    'fork-point',
    fields({ ...COMMON, at: orNull(text), children: list(text), sessions: list(text), checkpoint: orNull(id) }, { reason: text }),
  ],
  ['branch', fields({ ...target, branch: refName, commit: userObject })],
  [
    'keep',
    fields(
      { ...COMMON, commits: list(userObject), branch: orNull(refName), steps: list(id), through: count, all: flag },
      { mode: oneOf('step'), folds: list(id), head, git },
    ),
  ],
  ['name', fields({ ...target, name: text })],
  ['note', fields({ ...target, note: text })],
  ['pin', fields({ ...target, pinned: flag })],
  ['delete', fields(target)],
]);

/** An operation as a commit's message tells it; undefined when that is none. */
export const readOperation = (message: string): Operation | undefined => {
  const value = parseJson(message.trimEnd().split('\n').at(-1) ?? '');
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : '';
  return SHAPES.get(kind)?.(value) ? (value as Operation) : undefined;
};

const node = orNull(
  either(
    fields({ type: oneOf('file', 'pointer'), blob: id, permissions }),
    fields({ type: oneOf('link'), blob: id }),
    fields({ type: oneOf('directory'), permissions }),
  ),
);

export const isPlan: Shape = list(
  fields({ type: oneOf('create', 'restore', 'retype', 'delete', 'chmod', 'mkdir', 'rmdir'), path, from: node, to: node }),
);

const rules = list(fields({ base: directory, text: bytes }));

export const isManifest: Shape = fields(
  {
    format: oneOf(1),
    ignoreCase: flag,
    globalRules: orNull(bytes),
    include: list(text),
    repositories: list(fields({ at: directory, prefix: directory, rules })),
    hiddenRules: list(fields({ directory, text: bytes })),
    omissions: list(fields({ path: directory, reason: text })),
  },
  { exclude: list(text) },
);
