import {
  type Checkpoint,
  type Extent,
  lineOf,
  type Recorded,
  RetakeError,
  sameState,
  shortId,
  type WorkspaceState,
} from '../../model/index.ts';
import {
  type Actor,
  type AttributedChange,
  attributeChanges,
  changesBy,
  extentOf,
  extentWithout,
  inForce,
  type Reachability,
  stepOf,
  type WorkStep,
} from '../../timeline/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { runningActors, runningSpans } from '../record/running-steps.ts';
import { reachabilityOf } from '../recover/reachability.ts';
import { readAll } from '../recover/session-work.ts';

/** A change and the part of it that is meant. */
export type OwnPart = Pick<WorkStep, 'before' | 'after' | 'only' | 'except'>;

/** What happened between two records of which the one led to the other. */
export class LineBetween {
  readonly operations: readonly Recorded[];
  readonly #workspace: Workspace;
  readonly #attributedChanges: readonly AttributedChange[];
  readonly #reachability: Reachability;
  /** What is not recorded yet. */
  readonly #news: OwnPart | null;
  /** Who may have done that, beside the person. */
  readonly #running: readonly Actor[];

  /** Up to the present where there is no `to`. */
  constructor(workspace: Workspace, from: Recorded<Checkpoint>, to: Recorded<Checkpoint> | undefined, end: WorkspaceState) {
    const upTo = to?.sequence ?? Number.POSITIVE_INFINITY;
    this.#workspace = workspace;
    const line = lineOf(from);
    this.#reachability = reachabilityOf(workspace, { upTo, line });
    const isElsewhere = line !== (to === undefined ? null : lineOf(to));
    if (isElsewhere || from.sequence > upTo || this.#reachability.leftAfter(from) !== undefined) throw notOnOneLine(from, to);
    this.operations = readAll(workspace, { line });
    this.#attributedChanges = attributeChanges(this.operations, line === null ? runningSpans(workspace) : []).filter(
      ({ at }) => at.sequence > from.sequence && at.sequence <= upTo,
    );
    const newest = this.operations.findLast(({ state }) => state !== null)?.state;
    this.#running = to === undefined ? runningActors(workspace) : [];
    this.#news = to === undefined && newest != null && !sameState(newest, end) ? { before: newest, after: end } : null;
  }

  get actors(): Actor[] {
    return [...this.#attributedChanges.flatMap(({ actors }) => actors), ...this.#running];
  }

  /** What certain steps did and was not taken out again, oldest first. */
  by(isMeant: (actor: Actor) => boolean): OwnPart[] {
    const news = this.#newsIn(extentOf(this.#running.filter(isMeant)));
    return [...this.#inForce(changesBy(this.#attributedChanges, isMeant)), ...news];
  }

  /** What no agent did. */
  byPerson(): OwnPart[] {
    const alone = this.#attributedChanges.filter(({ actors, isPlanned, isGap }) => actors.length === 0 && !isPlanned && !isGap).map(stepOf);
    // To take out a step takes out what the agent did in it alone.
    const beside = this.#attributedChanges.flatMap((attributed): WorkStep[] => {
      const extent =
        attributed.actors.length === 0 || !this.#reachability.isOnTheWay(attributed.at) ? undefined : extentWithout(attributed.actors);
      return extent === undefined ? [] : [{ ...stepOf(attributed), ...extent }];
    });
    const all = [...this.#inForce(alone), ...beside].sort((a, b) => a.sequence - b.sequence);
    return [...all, ...this.#newsIn(extentWithout(this.#running))];
  }

  #newsIn(extent: Extent | undefined): OwnPart[] {
    return this.#news === null || extent === undefined ? [] : [{ ...this.#news, ...extent }];
  }

  #inForce(steps: readonly WorkStep[]): WorkStep[] {
    const changing = steps.filter(({ before, after }) => !sameState(before, after));
    return inForce(changing, this.#reachability, (id) => this.#workspace.index.get(id)?.operation);
  }
}

const notOnOneLine = (from: Recorded, to: Recorded | undefined): RetakeError =>
  new RetakeError(
    'left-behind',
    `Nothing leads from checkpoint ${shortId(from.id)} to ${to === undefined ? 'the present' : shortId(to.id)}: it is later, was rolled back, or was imported`,
    { hint: 'Who changed what is known between two checkpoints of which the one led to the other; without --by any two can be compared.' },
  );
