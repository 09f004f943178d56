import { describe, expect, test } from 'vitest';
import type { Checkpoint, CheckpointKind, OperationId, Recorded, Rollback, WorkspaceState } from '../../src/model/index.ts';
import { attributeChanges, byTurn, changesBy, inForce, Reachability } from '../../src/timeline/index.ts';

const id = (sequence: number): OperationId => `${sequence}` as OperationId;
const state = (files: string): WorkspaceState => ({ files: files as WorkspaceState['files'], meta: null });

/** A log, written down one record after the other; each holds a state named after its number. */
class Log {
  readonly operations: Recorded[] = [];
  #turn = 0;

  add(kind: CheckpointKind, session = 'one', event: { began?: number; beside?: true } = {}): number {
    if (kind === 'prompt') this.#turn++;
    const place = { agent: 'agent', ...(kind === 'after-step' ? { tool: 'Edit' } : {}) };
    return this.#push<Checkpoint>({ kind, session, event: { key: '', place, turn: this.#turn, ...event } } as never);
  }

  /** With its safety record before it. */
  rollBack(target: number, more: Partial<Rollback> = {}): number {
    const safety = this.add('safety');
    return this.#push<Rollback>({
      kind: 'rollback',
      scope: 'code',
      outcome: 'complete',
      target: id(target),
      safety: id(safety),
      ...more,
    } as never);
  }

  undo(undoes: number): number {
    return this.rollBack(undoes - 1, { kind: 'undo', undoes: id(undoes) });
  }

  /** The records whose change is the session's, and is in the present. */
  work(session = 'one'): number[] {
    return this.steps(session).map(({ checkpoint }) => Number(checkpoint));
  }

  steps(session = 'one') {
    const rollbacks = this.operations.filter((one) => 'safety' in one) as Recorded<Rollback>[];
    const reachability = new Reachability(rollbacks, (one) => Number(one));
    const done = changesBy(attributeChanges(this.operations), (actor) => actor.session === session);
    return inForce(done, reachability, (one) => this.operations[Number(one) - 1]);
  }

  #push<O>(operation: O): number {
    const sequence = this.operations.length + 1;
    const previous = this.operations.at(-1)?.id ?? null;
    this.operations.push({
      description: `${sequence}`,
      previous,
      ...operation,
      sequence,
      id: id(sequence),
      state: state(`${sequence}`),
    } as never);
    return sequence;
  }
}

/** A session with one turn of two steps, and an edit of the person before the second. */
const session = () => {
  const log = new Log();
  const start = log.add('session-start');
  const prompt = log.add('prompt');
  const first = log.add('after-step');
  const edit = log.add('before-step');
  const second = log.add('after-step');
  return { log, start, prompt, first, edit, second };
};

describe('the work of a session', () => {
  test("[RST-10] what changed between steps, at a prompt or by hand is not the agent's", () => {
    const { log, first, second } = session();
    log.add('turn-end');
    log.add('manual', 'local');
    log.add('prompt');
    log.add('session-end');
    expect(log.work()).toEqual([first, second]);
    expect(log.steps()[1]).toMatchObject({ before: state('4'), beforeAt: id(4), after: state('5'), tool: 'Edit', turn: 1 });
  });

  test("[CKP-1] what changes beside a step that is under way is the agent's, of both sessions if both have one", () => {
    const log = new Log();
    log.add('session-start');
    log.add('session-start', 'two');
    const beside = log.add('before-step', 'two', { beside: true });
    const theirs = log.add('after-step', 'two', { began: beside });
    const ours = log.add('after-step', 'one', { began: 2 });
    const later = log.add('after-step', 'two', { began: ours });
    expect(log.work()).toEqual([beside, theirs, ours]);
    expect(log.work('two')).toEqual([beside, theirs, later]);
    expect(log.steps()[0]?.tool).toBe('Edit');
    expect(log.steps('two')[0]?.tool).toBeNull();
  });

  test('[GIT-4] what was rolled back is out, undo brings it in, redo takes it out again', () => {
    const { log, first, edit, second } = session();
    const rollback = log.rollBack(edit);
    expect(log.work()).toEqual([first]);
    const undo = log.undo(rollback);
    expect(log.work()).toEqual([first, second]);
    log.undo(undo);
    expect(log.work()).toEqual([first]);
    const again = log.add('after-step');
    expect(log.work()).toEqual([first, again]);
  });

  test('[RST-7] an undo leaves work alone that was done after the rollback, and counts only where it was not rolled back itself', () => {
    const { log, edit, first, second } = session();
    const rollback = log.rollBack(edit);
    const meanwhile = log.add('after-step');
    log.undo(rollback);
    const later = log.add('after-step');
    expect(log.work()).toEqual([first, second, meanwhile, later]);
    log.rollBack(meanwhile);
    expect(log.work()).toEqual([first, meanwhile]);
  });

  test('[RST-8] a rollback of the conversation, of some paths, or one that failed takes nothing out', () => {
    const { log, prompt, first, second } = session();
    log.rollBack(prompt, { scope: 'conversation' });
    const part = log.rollBack(prompt, { only: ['a'] });
    log.rollBack(prompt, { outcome: 'taken-back' });
    const later = log.add('after-step');
    log.undo(part);
    expect(log.work()).toEqual([first, second, later]);
  });

  test('[FRK-6] a switch leads to the branch that was left before, and away from the other', () => {
    const { log, prompt, first, second } = session();
    log.rollBack(prompt);
    const other = log.add('after-step');
    expect(log.work()).toEqual([other]);
    log.rollBack(second, { kind: 'switch' });
    expect(log.work()).toEqual([first, second]);
  });

  test('[GIT-4] what was discarded is out; taking the discard back leaves work done since where it is', () => {
    const { log, first, second } = session();
    const discard = log.rollBack(1, { kind: 'discard', steps: [id(first), id(second)] });
    const later = log.add('after-step');
    expect(log.work()).toEqual([later]);
    log.undo(discard);
    expect(log.work()).toEqual([first, second, later]);
  });

  test('[GIT-6] what was recovered is in force where it was recovered, by what that changed, and can be discarded', () => {
    const { log, prompt, first, second } = session();
    log.rollBack(prompt);
    const recover = log.rollBack(second, { kind: 'recover', steps: [id(second)] });
    expect(log.steps()).toMatchObject([
      {
        checkpoint: id(recover),
        standsFor: [id(second)],
        before: state(`${recover - 1}`),
        after: state(`${recover}`),
        turn: 1,
        tool: 'Edit',
      },
    ]);
    log.rollBack(1, { kind: 'discard', steps: [id(second)] });
    expect(log.work()).toEqual([]);
    log.undo(recover + 2);
    expect(log.work()).toEqual([recover]);
    log.undo(recover);
    expect(log.work()).toEqual([]);
    expect(first).toBeLessThan(second);
  });

  test("[GIT-6] recovered together with another session's, only its own steps are a session's", () => {
    const { log, start, first } = session();
    const theirs = log.add('after-step', 'two');
    log.rollBack(start);
    const recover = log.rollBack(first, { kind: 'recover', steps: [id(first), id(theirs)] });
    expect(log.steps()).toMatchObject([{ checkpoint: id(first), sequence: recover, before: state(`${first - 1}`) }]);
  });

  test('[GIT-3] by turns, from the prompt to the last step', () => {
    const { log, prompt, first, second } = session();
    const next = log.add('prompt');
    const third = log.add('after-step');
    const prompts = log.operations.filter(({ kind }) => kind === 'prompt') as Recorded<Checkpoint>[];
    const turns = byTurn(log.steps(), prompts);
    expect(turns.map(({ turn, steps }) => [turn, steps.map(({ checkpoint }) => checkpoint)])).toEqual([
      [1, [id(first), id(second)]],
      [2, [id(third)]],
    ]);
    expect(turns).toMatchObject([
      { start: state(`${prompt}`), end: state(`${second}`) },
      { start: state(`${next}`), end: state(`${third}`) },
    ]);
  });
});
