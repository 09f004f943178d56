import type { BranchView, Forks } from '../engine/index.ts';
import { shownId } from './ids.ts';
import { count, describeCounts, oneLine, paint, relativeTime, table } from './output.ts';

/** How much of a message id is shown: enough to name the branch by. */
const shortMessage = (id: string): string => oneLine(id.slice(0, 8));

/** The conversations as trees: those with forks, the one that is gone on with, and with `all` every other. */
export const drawForks = ({ tree, forks, breadcrumbs }: Forks, all: boolean): string => {
  const shown = all ? tree : tree.filter((root) => root.children.length > 0 || isAtFork(root, forks) || holdsCurrent(root));
  const rows = shown.flatMap((root) => draw(root, '', ''));
  const others = tree.length - shown.length;
  return [
    ...(rows.length === 0 ? [] : [table(rows, [0])]),
    '',
    forksLine(
      forks.length,
      shown.reduce((sum, root) => sum + leaving(root), 0),
    ),
    ...forks.slice(0, MOST_FORKS).map(describeFork),
    ...(forks.length > MOST_FORKS ? [paint('dim', `… and ${forks.length - MOST_FORKS} older ones (--json lists all)`)] : []),
    ...(breadcrumbs.length === 0
      ? []
      : [`You are here: ${breadcrumbs.map(({ title, id }) => paint('bold', titleOf(title, id, 40))).join(paint('dim', ' › '))}`]),
    ...(others === 0 ? [] : [paint('dim', `${count(others, 'conversation')} without forks (--all)`)]),
  ].join('\n');
};

const MOST_FORKS = 10;

/** A branch that leaves a turn before its end stands in the tree, and there is no fork: nobody prompted twice at that place. */
const forksLine = (forks: number, leave: number): string => {
  const branches = leave === 1 ? '1 branch that leaves' : `${leave} branches that leave`;
  const left = leave === 0 ? '' : `${branches} a turn before its end`;
  if (forks > 0) return count(forks, 'fork') + (left === '' ? '' : `, and ${left}`);
  return left === '' ? 'No conversation was continued in several ways yet (retake fork ID begins another way)' : `No fork, but ${left}`;
};

const leaving = ({ children }: BranchView): number => children.reduce((sum, child) => sum + Number(!child.isForked) + leaving(child), 0);

const isAtFork = ({ id }: BranchView, forks: Forks['forks']): boolean => forks.some(({ children }) => children.includes(id));

const holdsCurrent = ({ isCurrent, children }: BranchView): boolean => isCurrent || children.some(holdsCurrent);

/** `line` leads to the branch itself, `below` to those under it. */
const draw = (branch: BranchView, line: string, below: string): string[][] => {
  const mark = branch.isCurrent ? paint('cyan', '●') : '○';
  const own = [
    `${paint('dim', line)}${mark} ${paint('yellow', shortMessage(branch.id))}  ${titleOf(branch.title, branch.id, 60)}`,
    `${count(branch.turns, 'turn')}, ${count(branch.steps, 'step')}`,
    branch.counts === null ? paint('dim', `code not recorded, ${count(branch.toolCalls, 'tool call')}`) : describeCounts(branch.counts),
    branch.lastAt === null ? '' : paint('dim', relativeTime(branch.lastAt)),
    branch.isCurrent ? paint('cyan', '← you are here') : '',
  ];
  const children = branch.children.flatMap((child, at) =>
    at === branch.children.length - 1 ? draw(child, `${below}└─ `, `${below}   `) : draw(child, `${below}├─ `, `${below}│  `),
  );
  return [own, ...children];
};

const describeFork = ({ id, at, children, checkpoint, reason }: Forks['forks'][number]): string =>
  [
    '  ',
    paint('yellow', id === null ? '-' : shownId(id)),
    at === null ? 'at the beginning' : `after ${shortMessage(at)}`,
    `${children.length} ways: ${children.map(shortMessage).join(', ')}`,
    checkpoint === null ? paint('dim', `no code: ${oneLine(reason ?? '')}`) : `code ${paint('yellow', shownId(checkpoint))}`,
  ].join('  ');

const titleOf = (title: string, id: string, length: number): string => {
  const text = oneLine(title === '' ? id : title);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
};
