import { z } from 'zod';
import { changedFileFields } from './changed-file.ts';
import { route } from './route.ts';
import { address, count, flag, onBranch, operationId, paged, paging, pathName, sessionId } from './words.ts';

const side = z
  .object({
    id: operationId.nullable().describe('The operation that recorded it; null for the present, and for a commit.'),
    commit: z.string().nullable().describe("The commit of the user's git that it is of; null where it is of none."),
    tree: z.string().describe('Names the content: the same for the same files.'),
  })
  .meta({ id: 'DiffSide' });

const line = z
  .object({
    kind: z.enum(['context', 'add', 'remove']),
    text: z.string().describe('Without its newline.'),
    noNewline: z.literal(true).optional().describe('The file ends here, without a newline.'),
    isExact: z.literal(false).optional().describe('It is not UTF-8: what can not be read shows as U+FFFD. The patch has its bytes.'),
    bytes: count.optional().describe('How long it is, where only its beginning is shown. Asked for by its number, more of it is.'),
  })
  .meta({ id: 'DiffLine' });

const hunk = z
  .object({
    oldStart: count.describe('From 1; with no lines on that side, the line before.'),
    oldLines: count,
    newStart: count,
    newLines: count,
    section: z.string().describe('The nearest line above that looks like the head of a function or section.'),
    part: z
      .object({ skipped: count, oldLine: count, newLine: count })
      .optional()
      .describe('Where its first lines are not here: how many, and the numbers of the next line on either side.'),
    lines: z.array(line),
  })
  .meta({ id: 'DiffHunk' });

const file = z
  .object({
    ...changedFileFields,
    hunks: z.array(hunk).optional().describe('With `?hunks=true`; none for what is not text.'),
    cut: z
      .object({ line: count, lines: count, total: count })
      .optional()
      .describe(
        'Only `lines` of all `total` lines of its hunks are here, from number `line` on. `?path=FILE&line=N&lines=M` gives any of them.',
      ),
  })
  .meta({ id: 'DiffFile' });

const diff = z
  .object({
    from: side.nullable().describe('Null for the first record, which has none to differ from.'),
    to: side,
    files: z.array(file),
    stats: z.object({ files: count, insertions: count, deletions: count }).describe('Of all pages.'),
    ...paged,
  })
  .meta({ id: 'Diff' });

/** As many lines as a range may have. */
const MOST_LINES = 10_000;
const MOST_PATHS = 100;

const view = {
  ...paging,
  limit: z.int().min(1).max(1000).default(200).describe('At most so many files; with hunks fewer, where they are long.'),
  path: z.array(pathName).max(MOST_PATHS).optional().describe('Only what is at or below it. May be given more than once.'),
  pathBase64: z.array(z.base64().min(1).max(6000)).max(MOST_PATHS).optional().describe('The same for paths that are not UTF-8.'),
  hunks: flag.default(false).describe('With the lines that changed.'),
  line: z
    .int()
    .min(1)
    .optional()
    .describe("Of the one file that `path` names: lines of its hunks from this number on, all hunks' lines counted."),
  lines: z.int().min(1).max(MOST_LINES).optional().describe('How many of them; 2000 unless told.'),
  format: z.enum(['json', 'patch']).default('json').describe('`patch`: all of it, as `git apply` takes it.'),
};

const shared = {
  method: 'get',
  tag: 'diffs',
  in: 'workspace',
  query: z.strictObject(view),
  answer: diff,
  orStream: { stream: 'text/x-diff' },
  errors: [404, 422, 503],
} as const;

const session = { session: sessionId };

export const diffRoutes = {
  diffWithPresent: route({
    ...shared,
    path: '/api/sessions/{session}/checkpoints/{checkpoint}/diff',
    summary: 'What changed from a checkpoint to the present',
    params: z.strictObject({ ...session, checkpoint: address }),
    query: z.strictObject({ ...view, ...onBranch }),
  }),
  diffCheckpoints: route({
    ...shared,
    path: '/api/sessions/{session}/checkpoints/{checkpoint}/diff/{other}',
    summary: 'What changed from one checkpoint to another',
    params: z.strictObject({ ...session, checkpoint: address, other: address }),
    query: z.strictObject({ ...view, ...onBranch }),
  }),
  diffSession: route({
    ...shared,
    path: '/api/sessions/{session}/diff',
    summary: 'What changed since a session began, whoever did it',
    params: z.strictObject(session),
  }),
  diffForkPoint: route({
    ...shared,
    path: '/api/sessions/{session}/fork-point-diff',
    summary: 'What became of the code on a branch: from the fork that it begins at to its newest state',
    params: z.strictObject(session),
    query: z.strictObject({
      ...view,
      branch: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('By the message id of its first prompt; the one that the session is on unless told.'),
    }),
  }),
  diffStep: route({
    ...shared,
    path: '/api/commits/{commit}/diff',
    summary:
      'What one step, or any other record, changed: it and the record before it; or a commit of git, by its hash, and its first parent',
    params: z.strictObject({ commit: address }),
  }),
  diffCommits: route({
    ...shared,
    path: '/api/commits/{commit}/diff/{other}',
    summary: 'What differs between two of them, checkpoints or commits of git by their hashes; `@` is the present',
    params: z.strictObject({ commit: address, other: address }),
  }),
};
