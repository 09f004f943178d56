import { effects, type GitResult } from '../../host/index.ts';
import { type Checkpoint, type Keep, type Recorded, type RelativePath, RetakeError, shortId } from '../../model/index.ts';
import {
  commitTree,
  type GitEntries,
  indexedEntry,
  moveHead,
  pushBranch,
  readHead,
  readTreeEntries,
  refreshIndex,
  sameEntry,
  treeOf,
} from '../../usergit/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { noteToPin } from '../git/pinned-objects.ts';
import { recordCheckpoint } from '../record/checkpoint.ts';
import { rollBack } from '../rewind/rollback.ts';
import { measured } from '../timing/measured.ts';
import { betweenCommits } from './commit-lock.ts';
import { type IndexMove, indexMoves, settleIndex } from './keep-index.ts';
import { type KeepJournal, newCommitIndex, recordKeep, removeKeepJournal, writeKeepJournal } from './keep-journal.ts';
import { type KeepPlan, type KeepPlanRequest, type PreparedKeep, type RequestedKeep, withKeepPlan } from './keep-plan.ts';
import type { ReplayedUnit } from './keep-replay.ts';
import { idsOf, treesOf } from './planned-trees.ts';

export interface KeepOptions {
  /** Of the plan that the user was shown. */
  readonly shown?: Pick<KeepPlan, 'expected'> | undefined;
  /** Told what git and its hooks say. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

export interface KeepResult {
  readonly plan: KeepPlan;
  readonly keep: Recorded<Keep>;
  readonly safety: Recorded<Checkpoint>;
  readonly pushed: boolean;
}

/** The plan alone; changes nothing. */
export const planKeep = async (workspace: Workspace, request: KeepPlanRequest): Promise<KeepPlan> => {
  assertRecorded(workspace);
  return betweenCommits(workspace, () => workspace.write(() => withKeepPlan(workspace, request, ({ plan }) => plan)));
};

/** Where nothing is, looking for it makes nothing. */
const assertRecorded = (workspace: Workspace): void => {
  if (workspace.isProtected) return;
  throw new RetakeError('nothing-to-keep', 'Nothing is recorded here yet, so that there is nothing to keep', {
    hint: 'retake setup claude-code has the work of an agent recorded.',
  });
};

/**
 * Makes commits on the user's branch of what a session's agent did, by the user's own `git commit` (GIT-3). All of them or none: when one
 * is refused, the branch, the index and the files are as they were.
 */
export const keepWork = (workspace: Workspace, request: KeepPlanRequest, options: KeepOptions = {}): Promise<KeepResult> =>
  measured(workspace, 'keep', () => keep(workspace, request, options));

const keep = async (workspace: Workspace, request: KeepPlanRequest, options: KeepOptions): Promise<KeepResult> => {
  assertRecorded(workspace);
  const attempt = await betweenCommits(workspace, () =>
    workspace.write(() =>
      withKeepPlan(workspace, request, (prepared) => {
        assertAsShown(prepared.plan, options);
        return new Keeping(workspace, prepared, request.all ?? false, options).run();
      }),
    ),
  );
  if ('refused' in attempt) throw await withFilesBack(workspace, attempt);
  await push(attempt, options);
  return { ...attempt, pushed: attempt.plan.pushTo !== null };
};

type Done = Omit<KeepResult, 'pushed'> & Pick<PreparedKeep, 'around'>;

interface Refused {
  readonly refused: unknown;
  readonly safety: Recorded<Checkpoint>;
}

/** What git said about a commit that it did not make. */
class CommitRefused extends RetakeError {
  constructor({ code, stdout, stderr }: GitResult, headline: string) {
    const output = `${stdout}${stderr}`.trim();
    super('commit-refused', `git did not take the commit ${JSON.stringify(headline)}; everything is as it was`, {
      hint: output.split('\n').findLast((line) => line.trim() !== '') ?? `It ended with ${code}.`,
      details: { output, exitCode: code },
    });
  }
}

class Keeping {
  readonly #workspace: Workspace;
  readonly #prepared: RequestedKeep;
  readonly #all: boolean;
  readonly #options: KeepOptions;

  constructor(workspace: Workspace, prepared: RequestedKeep, all: boolean, options: KeepOptions) {
    this.#workspace = workspace;
    this.#prepared = prepared;
    this.#all = all;
    this.#options = options;
  }

  async run(): Promise<Done | Refused> {
    const { plan, around, onto, units, looked, through, indexed, staged } = this.#prepared;
    const { repository } = around;
    const { trees, final } = await this.#planned();
    const paths = units.flatMap(({ changes }) => changes.map(({ path }) => around.fromTop(path)));
    const moves = indexMoves(new Set(paths), staged, indexedEntry(repository, indexed), (path) => final.get(path));
    const safety = this.#recordPresent();
    const changing = units.map(({ unit }) => unit);
    const journal: KeepJournal = {
      session: plan.session,
      head: { ...plan.head, commit: onto },
      commits: changing.map((unit) => ({ message: unit.message, steps: idsOf([unit]), checkpoint: unit.checkpoint })),
      settled: idsOf(looked.filter((unit) => !changing.includes(unit))),
      moves,
      through: through ?? safety.sequence,
      all: this.#all,
      ...this.#folds(),
    };
    writeKeepJournal(this.#workspace, journal);
    try {
      // First the index, then the branch: in between, what is about to be committed is staged, and never the reverse of what is.
      await settleIndex(repository, moves, ({ to }) => to ?? undefined);
      if (journal.folds !== undefined) await moveHead(repository, journal.folds.tip, onto, 'retake: keep makes commits of steps anew');
      const commits = await this.#commit(trees, journal);
      await this.#followHooks(moves, trees.at(-1));
      const keep = recordKeep(this.#workspace, journal, commits);
      removeKeepJournal(this.#workspace);
      await refreshIndex(repository);
      return { plan, keep, safety, around };
    } catch (refused) {
      await this.#takeBack(moves);
      removeKeepJournal(this.#workspace);
      return { refused, safety };
    }
  }

  /** The trees of the commits, and what the last one has. Where they only take the place of others, that is what those had in the end. */
  async #planned(): Promise<{ trees: string[]; final: GitEntries }> {
    const { plan, around, units, folded, draft } = this.#prepared;
    const trees = await treesOf(this.#workspace, this.#prepared, units);
    const known = new Set(folded.flatMap(({ steps }) => steps));
    const tip = plan.head.commit;
    const isOnlyFolded =
      tip !== null && folded.length > 0 && !this.#all && idsOf(units.map(({ unit }) => unit)).every((id) => known.has(id));
    if (!isOnlyFolded) return { trees, final: await draft.entries() };
    return { trees: [...trees.slice(0, -1), await treeOf(around.repository, tip)], final: await readTreeEntries(around.repository, tip) };
  }

  /** The old commits go from the branch: should anybody want them, they are held. */
  #folds(): Pick<KeepJournal, 'folds'> {
    const { plan, folded } = this.#prepared;
    const tip = plan.head.commit;
    if (folded.length === 0 || tip === null) return {};
    noteToPin(this.#workspace, { commits: [tip], objects: [] });
    return { folds: { tip, keeps: folded.map(({ id }) => id) } };
  }

  #recordPresent(): Recorded<Checkpoint> {
    const { plan, present } = this.#prepared;
    const safety = recordCheckpoint(this.#workspace, present, {
      kind: 'safety',
      session: plan.session,
      description: `Before keep of ${plan.commits[0]?.headline ?? plan.session}`,
    });
    this.#workspace.memory.remember(present, safety.id);
    return safety;
  }

  async #commit(planned: readonly string[], journal: KeepJournal): Promise<string[]> {
    const { around, units } = this.#prepared;
    const { repository } = around;
    const commits: string[] = [];
    let trees = planned;
    let before = this.#prepared.onto;
    for (const [at, { unit }] of units.entries()) {
      const tree = trees[at] as string;
      const { message } = unit;
      const result = await this.#commitTree(tree, message, journal);
      const { commit } = await readHead(repository);
      if (result.code !== 0 || commit === null || commit === before) throw new CommitRefused(result, message.split('\n', 1)[0] ?? '');
      commits.push(commit);
      before = commit;
      const isChanged = at + 1 < units.length && (await treeOf(repository, commit)) !== tree;
      if (isChanged) trees = [...trees.slice(0, at + 1), ...(await this.#treesOnTop(commit, at))];
    }
    return commits;
  }

  /** On an index under a name of its own: should git outlive us, nobody takes it away before it has ended. */
  async #commitTree(tree: string, message: string, journal: KeepJournal): Promise<GitResult> {
    const index = newCommitIndex(this.#workspace);
    try {
      return await commitTree(this.#prepared.around.repository, tree, index, {
        message,
        // git waits for the message, and commits nothing without: when it gets that, the journal knows of it.
        onStart: (git) => writeKeepJournal(this.#workspace, { ...journal, git }),
        onOutput: this.#options.onOutput,
      });
    } finally {
      effects.removeTree(index);
    }
  }

  /** A hook changed what was committed: the rest is done on top of that. */
  async #treesOnTop(commit: string, at: number): Promise<string[]> {
    const { around, draft, replay, units } = this.#prepared;
    const entries = await readTreeEntries(around.repository, commit);
    await draft.load(commit);
    const onto = await replay.committed(draft, around, commit, entries, (units[at] as ReplayedUnit).files);
    const rest = units.slice(at + 1).map(({ unit }) => unit);
    return treesOf(this.#workspace, this.#prepared, replay.replay(rest, onto));
  }

  /** Where hooks made something else of the commits than was planned, the index follows. */
  async #followHooks(moves: readonly IndexMove[], tree: string | undefined): Promise<void> {
    const { around, committed, staged } = this.#prepared;
    const { repository } = around;
    const { commit } = await readHead(repository);
    if (commit === null || (await treeOf(repository, commit)) === tree) return;
    const made = await readTreeEntries(repository, commit);
    const known = new Set(moves.map(({ path }) => path));
    const before = (path: RelativePath) => committed.get(path);
    const others = indexMoves(
      changedBetween(committed, made).filter((path) => !known.has(path)),
      staged,
      before,
      before,
    );
    await settleIndex(repository, [...moves, ...others], ({ path }) => made.get(path));
  }

  async #takeBack(moves: readonly IndexMove[]): Promise<void> {
    const { around, plan } = this.#prepared;
    const { repository } = around;
    const { commit } = await readHead(repository);
    if (commit !== plan.head.commit) await moveHead(repository, commit, plan.head.commit, 'retake: keep taken back');
    await settleIndex(repository, moves, ({ from }) => from ?? undefined);
    await refreshIndex(repository);
  }
}

const changedBetween = (a: GitEntries, b: GitEntries): RelativePath[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => !sameEntry(a.get(path), b.get(path)));

/** A hook may have changed files before it refused: the safety checkpoint has them. */
const withFilesBack = async (workspace: Workspace, { refused, safety }: Refused): Promise<unknown> => {
  try {
    await rollBack(workspace, { verb: 'Rollback', target: safety });
    return refused;
  } catch (cause) {
    return new RetakeError('commit-refused', `${messageOf(refused)}, but files that changed meanwhile: ${messageOf(cause)}`, {
      hint: `The state before is checkpoint ${shortId(safety.id)}: retake rewind ${shortId(safety.id)}`,
      details: { ...(refused instanceof RetakeError ? refused.details : {}), safetyCheckpoint: safety.id },
      cause,
    });
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const assertAsShown = ({ expected }: KeepPlan, { shown }: KeepOptions): void => {
  if (shown === undefined || shown.expected === expected) return;
  throw new RetakeError('workspace-moved', 'The work or the branch changed since the plan was made; nothing was changed', {
    hint: 'Look at the new plan and confirm it.',
  });
};

const push = async ({ plan: { pushTo, head }, keep, around }: Done, { onOutput }: KeepOptions): Promise<void> => {
  if (pushTo === null || head.branch === null) return;
  const { isPushed, output } = await pushBranch(around.repository, head.branch, pushTo, onOutput);
  if (isPushed) return;
  throw new RetakeError('push-rejected', `The commits are made and stay, but could not be pushed to ${pushTo.remote}`, {
    hint: `To try again: git push ${pushTo.remote} ${head.branch}`,
    details: { commits: keep.commits, output, pushed: false },
  });
};
