import {
  type ConversationMove,
  type DescribedPlan,
  isPersons,
  type LeftByPlan,
  type PathShare,
  type RollbackPlan,
  type RollbackResult,
  scopeOf,
} from '../engine/index.ts';
import type { StepType } from '../model/index.ts';
import { conflictLines } from './conflicts.ts';
import { describeGitPlan } from './git.ts';
import { partOf } from './hunks.ts';
import { shownId } from './ids.ts';
import { count, firstOf, localDate, oneLine, paint, relativeTime, showPath, wholeTable } from './output.ts';
import { replayTable } from './replays.ts';
import { resumeLines } from './resume.ts';

const leftToDo = (steps: number): string => (steps === 0 ? '' : ` (${count(steps, 'step')} to go)`);

/** A noun where it is not files, and what happened to them. */
const WORDS: Readonly<Record<StepType, readonly [noun: string, done: string]>> = {
  create: ['file', 'created'],
  restore: ['file', 'restored'],
  retype: ['path', 'changed in type'],
  delete: ['file', 'deleted'],
  chmod: ['path', 'changed in permissions'],
  mkdir: ['folder', 'made'],
  rmdir: ['folder', 'removed'],
};

const summary = (plan: RollbackPlan): string => {
  const counts = new Map<StepType, number>();
  for (const { type } of plan.steps) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, number]) => `${count(number, WORDS[type][0])} ${WORDS[type][1]}`).join(', ') || withoutFiles(plan);
};

/** Where no file changes, something else may. */
const withoutFiles = ({ conversation, git, outside }: RollbackPlan): string => {
  if (outside.steps.length > 0 && conversation === undefined) return 'no file of the workspace changed';
  if (conversation === undefined) return git === undefined ? 'nothing to change' : 'no file changed';
  const { to, written, turns } = conversation;
  if (to === null) return 'no file changed; the conversation begun anew';
  if (written === null) return `no file changed; the conversation in session ${to}`;
  return `no file changed; the conversation ${turns === 0 ? '' : `${count(turns, 'turn')} back, `}in a new session`;
};

const STYLE: Readonly<Record<StepType, Parameters<typeof paint>[0]>> = {
  create: 'green',
  mkdir: 'green',
  restore: 'yellow',
  retype: 'yellow',
  chmod: 'yellow',
  delete: 'red',
  rmdir: 'red',
};

/** A plan as people read it, what they have to know first. */
export const planLines = ({ plan, steps, conflicts, replays, left, note, undoableUntil }: DescribedPlan): string[] => {
  const shares = new Map(plan.shares.map((share) => [share.path, share]));
  const rows = steps.map(({ type, path, lines }) => [
    paint(STYLE[type], type),
    lines === null ? '' : `${paint('green', `+${lines.insertions}`)} ${paint('red', `-${lines.deletions}`)}`,
    ...(plan.shares.length === 0 ? [] : [paint('dim', describeShare(shares.get(path)))]),
    showPath(path) + partOf(plan, path),
  ]);
  const staying = plan.shares
    .filter(({ path }) => !steps.some((step) => step.path === path))
    .map((share) => [paint('cyan', 'stays'), '', paint('dim', describeShare(share)), showPath(share.path)]);
  const isListed = plan.verb === 'Recover' || plan.verb === 'Revert';
  return [
    ...plan.warnings.map((warning) => `${paint('yellow', 'Note:')} ${oneLine(warning)}`),
    ...plan.inTheWay.map(({ path, reason }) => `${paint('red', 'In the way:')} ${showPath(path)} (${oneLine(reason)})`),
    ...conflictLines(conflicts),
    headline(plan),
    ...(note === null ? [] : [`  ${paint('dim', `“${oneLine(note)}”`)}`]),
    ...(plan.verb === 'Rollback' ? [scopeLine(plan)] : []),
    ...(isListed ? replayTable(replays).split('\n') : []),
    ...(plan.conversation === undefined ? [] : [describeConversation(plan, plan.conversation)]),
    ...(plan.git === undefined ? [] : describeGitPlan(plan.git)),
    ...outsideLines(plan),
    ...(rows.length + staying.length === 0 ? [] : wholeTable([...rows, ...staying]).split('\n')),
    summary(plan),
    ...keptLines(plan),
    ...leftLines(left, isListed),
    ...(undoableUntil === null ? [] : [`It can be undone until ${localDate(undoableUntil)}: retake undo`]),
  ];
};

/** What leads to the present and would not any more: the agents' steps, and checkpoints that somebody named or wrote a note to. */
const leftLines = ({ steps, marked }: LeftByPlan, isListed: boolean): string[] => [
  ...(steps.length === 0 || isListed
    ? []
    : [
        `Leaves behind ${count(steps.length, 'step')}:`,
        ...firstOf(steps, ({ id, description, event }) => {
          const { agentId, agentType } = event?.place ?? {};
          const by = agentId === undefined ? '' : paint('cyan', `  by ${oneLine(agentType ?? 'subagent')} ${oneLine(agentId)}`);
          return `  ${paint('yellow', shownId(id))}  ${oneLine(description)}${by}`;
        }),
      ]),
  ...(marked.length === 0
    ? []
    : [
        `Leaves behind ${count(marked.length, 'checkpoint')} with a name or a note:`,
        ...firstOf(marked, ({ checkpoint, name, note }) => {
          const said = note === null ? '' : `  “${oneLine(note)}”`;
          return `  ${paint('yellow', shownId(checkpoint.id))}  ${paint('bold', oneLine(name ?? checkpoint.description))}${said}`;
        }),
      ]),
];

const headline = (plan: RollbackPlan): string =>
  plan.isUnrecorded
    ? `Rewind the conversation to ${oneLine(plan.title ?? '')}; the code is not recorded there and stays as it is`
    : targetLine(plan);

const targetLine = (plan: RollbackPlan): string =>
  `${HEADLINES[plan.verb]} ${paint('yellow', shownId(plan.subject ?? plan.target.id))} ${oneLine(plan.title ?? plan.target.description)}` +
  (plan.subject === undefined ? ` (${relativeTime(plan.target.createdAt)}${isGoingBack(plan) ? `; ${describeBack(plan)}` : ''})` : '');

const SCOPES = { code: 'The code goes back', conversation: 'The conversation goes back', both: 'Code and conversation go back' } as const;

/** What goes back, and whether the person's edits do. */
const scopeLine = (plan: RollbackPlan): string => {
  const scope = scopeOf(plan);
  if (scope === 'conversation' || !(plan.keepsMine || plan.shares.some(isPersons))) return SCOPES[scope];
  return `${SCOPES[scope]}; your own edits ${plan.keepsMine ? 'stay' : 'go back too'}`;
};

/** Whose a file is. */
const describeShare = ({ by, sessions }: Pick<PathShare, 'by' | 'sessions'> = { by: null, sessions: [] }): string => {
  const hands = { agent: "agent's", person: 'yours', both: 'both', none: '' }[by ?? 'none'];
  return sessions.length > 1 ? `${hands} (${count(sessions.length, 'session')})` : hands;
};

const HEADLINES: Readonly<Record<RollbackPlan['verb'], string>> = {
  Rollback: 'Rewind to',
  Undo: 'Undo: back to',
  Redo: 'Redo: back to',
  Switch: 'Switch to',
  Merge: 'Merge',
  Discard: 'Discard',
  Revert: 'Revert',
  Recover: 'Recover',
};

const isGoingBack = ({ verb, replay, keepsMine }: RollbackPlan): boolean =>
  verb !== 'Switch' && (replay === undefined || keepsMine === true);

const describeBack = ({ goesBack: { checkpoints, turns, steps } }: RollbackPlan): string => {
  const inside = turns + steps === 0 ? '' : `: ${count(turns, 'turn')}, ${count(steps, 'step')}`;
  return `${count(checkpoints, 'checkpoint')} made since${inside}`;
};

const describeConversation = ({ verb }: RollbackPlan, { from, to, messages, turns, written }: ConversationMove): string => {
  if (to === null) return `The conversation begins anew; ${count(messages, 'message')} stay in session ${from}`;
  if (written === null) return `The conversation goes on in session ${to}`;
  if (verb === 'Switch') return 'The conversation goes on in a new session, as it was on that branch; no other is changed';
  return `The conversation goes on in a new session without its last ${count(messages, 'message')} (${count(turns, 'turn')}); session ${from} stays as it is`;
};

/** By their whole paths, so that nobody takes them for files of the workspace. */
const outsideLines = ({ outside: { steps, left } }: RollbackPlan): string[] => [
  ...steps.map(({ type, path }) => `${paint(STYLE[type], type)}  outside  ${oneLine(path)}`),
  ...left.map(({ path, reason }) => `${paint('cyan', 'stays')}  outside  ${oneLine(path)} (${oneLine(reason)})`),
];

const keptLines = ({ kept }: RollbackPlan): string[] =>
  kept.map(({ path, reason }) => `${paint('dim', 'left alone')}  ${showPath(path)} (${oneLine(reason)})`);

/** What came of it, and what can be done next. */
export const outcomeLines = ({ plan, rollback, resume }: RollbackResult): { told: string[]; onward: string[]; hints: string[] } => {
  if (rollback === null) return { told: ['Nothing to change: the workspace is there already', ...keptLines(plan)], onward: [], hints: [] };
  const byHand = plan.conflicts.filter(({ choice }) => choice === 'manual');
  return {
    told: [
      `${paint('green', 'Done')}: ${summary(plan)}`,
      ...(plan.git === undefined ? [] : describeGitPlan(plan.git)),
      ...outsideLines(plan),
      ...byHand.map(({ path }) => `${paint('yellow', 'To finish by hand:')} ${showPath(path)}`),
      ...keptLines(plan),
    ],
    onward: resume === null ? [] : resumeLines(resume, plan.conversation?.prompt ?? null),
    hints: [
      ...(rollback.left === undefined
        ? []
        : [`Finish by hand what is between markers, then: retake recover --continue${leftToDo(rollback.left.steps.length)}`]),
      `To take this back: retake undo ${shownId(rollback.id)}`,
    ],
  };
};
