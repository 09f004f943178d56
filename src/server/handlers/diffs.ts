import { hash } from 'node:crypto';
import type { Answer, Query, Routes } from '../../api/index.ts';
import { presentThrough } from '../../daemon/ask-or-run.ts';
import {
  type Difference,
  type DifferenceSubject,
  readDifference,
  showFiles,
  showHunks,
  showRange,
  type Workspace,
} from '../../engine/index.ts';
import { shownFileJson, sidesJson } from '../../json/diff.ts';
import { isWithin, type RelativePath } from '../../model/index.ts';
import { readInTurn } from '../daemon-reads.ts';
import { type HandlersOf, Streamed } from '../handler.ts';
import { pageOf } from '../page.ts';
import { pathIn, pathOfBytes } from '../paths.ts';
import { BadRequest } from '../problem.ts';

export const diffHandlers: HandlersOf<
  'diffWithPresent' | 'diffCheckpoints' | 'diffSession' | 'diffForkPoint' | 'diffStep' | 'diffCommits'
> = {
  diffWithPresent: (context) => {
    const { branch, ...view } = context.query;
    return answer(context, { of: 'checkpoint', ...context.params, branch }, view);
  },
  diffCheckpoints: (context) => {
    const { branch, ...view } = context.query;
    return answer(context, { of: 'checkpoint', ...context.params, branch }, view);
  },
  diffSession: (context) => answer(context, { of: 'session', ...context.params }, context.query),
  diffForkPoint: (context) => {
    const { branch, ...view } = context.query;
    return answer(context, { of: 'branch', ...context.params, branch }, view);
  },
  diffStep: (context) => answer(context, { of: 'step', step: context.params.commit }, context.query),
  diffCommits: (context) => answer(context, { of: 'commits', from: context.params.commit, to: context.params.other }, context.query),
};

type View = Query<Routes['diffSession']>;
type Diff = Answer<Routes['diffSession']>;

interface Asker {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
}

const answer = ({ workspace, signal }: Asker, subject: DifferenceSubject, query: View): Promise<Diff | Streamed> => {
  const isMeant = chooserOf(workspace, query);
  return readDifference<Diff | Streamed>(
    workspace,
    subject,
    { present: () => readInTurn(workspace, signal, () => presentThrough(workspace)), signal },
    (whole) => {
      const difference = isMeant === undefined ? whole : whole.where(isMeant);
      return query.format === 'patch' ? new Streamed('text/x-diff', difference.patches()) : page(difference, query);
    },
  );
};

const page = async (difference: Difference, query: View): Promise<Diff> => {
  const { changes } = difference;
  const { items, total } = pageOf(changes, keyOf, query);
  const shown = await show(difference, items, query);
  const { changed, ...lines } = await difference.count();
  const { next } = pageOf(changes, keyOf, { ...query, limit: shown.length });
  return { ...sidesJson(difference), files: shown.map(shownFileJson), stats: { files: changed, ...lines }, total, next };
};

const LINES = 2000;

const show = (difference: Difference, changes: Difference['changes'], { hunks, line, lines }: View) => {
  if (line !== undefined || lines !== undefined) return showRange(difference, changes, { line: line ?? 1, lines: lines ?? LINES });
  return hunks ? showHunks(difference, changes) : showFiles(difference, changes);
};

/** Short, whatever the path. */
const keyOf = ({ path }: Difference['changes'][number]): string => hash('sha1', path, 'base64url');

/** Which paths are meant; undefined for all. */
const chooserOf = (workspace: Workspace, { path = [], pathBase64 = [], line, lines, format }: View) => {
  const paths = [...path.map((one) => pathIn(workspace, one)), ...pathBase64.map(pathOfBytes)];
  const [first] = paths;
  if (line === undefined && lines === undefined)
    return first === undefined ? undefined : (one: RelativePath) => paths.some((named) => isWithin(one, named));
  if (paths.length === 1 && format === 'json') return (one: RelativePath) => one === first;
  throw new BadRequest('bad-request', 'Lines by their numbers are of one file', { hint: 'Give one path, and no format.' });
};
