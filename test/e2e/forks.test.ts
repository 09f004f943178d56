import { describe, expect, test } from 'vitest';
import { branchNamed, drawn, forksOf } from '../forks/forked.ts';
import { type Oracle, observeWorkspace } from '../support/oracle.ts';
import { type Lab, lab } from './lab.ts';
import { substance } from './messages.ts';
import { bash, call, say, write } from './script.ts';

const textsOf = (blocks: readonly unknown[]): string[] => blocks.flatMap((block) => (block as { text?: string }).text ?? []);

/** Goes to a branch, and returns what the model is sent before "go on" when its conversation is resumed as Retake says. */
const goTo = async (at: Lab, title: string): Promise<string[]> => {
  const { resume } = at.retake.json(at.workspace, 'switch', branchNamed(forksOf(at).tree, title).branch, '--yes');
  expect(await at.client.shell(`${resume} -p "go on"`)).toEqual({ code: 0, stdout: 'went on\n', stderr: '' });
  return textsOf(substance(at.model.lastFor('go on')?.messages ?? []).slice(0, -1));
};

describe('forks that the client makes', () => {
  test('[FRK-1] [FRK-4] [FRK-6] Esc Esc twice: the tree is right, and each branch comes back with its code and conversation', async () => {
    const at = await lab((workspace) => ({
      'first thing': [call(write(`${workspace}/one.txt`, 'one\n')), say('first is done')],
      'second thing': [call(bash('echo two > two.txt; rm one.txt')), say('second is done')],
      'another way': [call(write(`${workspace}/other.txt`, 'other\n')), say('the other is done')],
      'third thing': [call(bash('mkdir d; echo 3 > d/three.txt')), say('third is done')],
      'third again': [call(write(`${workspace}/four.txt`, 'four\n')), say('again is done')],
      'go on': [say('went on')],
    }));
    const code = new Map<string, Oracle>();
    const terminal = await at.client.open();
    const answers = async (prompt: string, answer: string): Promise<void> => {
      await terminal.answers(prompt, answer);
      code.set(prompt, observeWorkspace(at.workspace));
    };
    await answers('first thing', 'first is done');
    await answers('second thing', 'second is done');
    await terminal.rewind('second thing');
    await answers('another way', 'the other is done');
    await answers('third thing', 'third is done');
    await terminal.rewind('third thing');
    await answers('third again', 'again is done');
    await terminal.type('/exit');
    await terminal.ended();

    const { tree, forks, breadcrumbs } = forksOf(at);
    expect(drawn(tree)).toBe('first thing(second thing another way(third thing third again*))');
    expect(forks).toHaveLength(2);
    expect(forks.every(({ checkpoint }: { checkpoint: string | null }) => checkpoint !== null)).toBe(true);
    expect(breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(['first thing', 'another way', 'third again']);
    expect(branchNamed(tree, 'second thing')).toMatchObject({ turns: 1, steps: 1, files: 2, insertions: 1, deletions: 1 });

    expect(await goTo(at, 'second thing')).toEqual(['first thing', 'first is done', 'second thing', 'second is done']);
    expect(observeWorkspace(at.workspace)).toEqual(code.get('second thing'));
    expect(await goTo(at, 'third thing')).toEqual([
      'first thing',
      'first is done',
      'another way',
      'the other is done',
      'third thing',
      'third is done',
    ]);
    expect(observeWorkspace(at.workspace)).toEqual(code.get('third thing'));
    await goTo(at, 'third again');
    expect(observeWorkspace(at.workspace)).toEqual(code.get('third again'));
    expect(drawn(forksOf(at).tree)).toBe('first thing(second thing another way(third thing third again*))');
  });

  test('[FRK-1] [FRK-6] --fork-session, /branch and a rewind to the first prompt', async () => {
    const at = await lab((workspace) => ({
      'make a': [call(write(`${workspace}/a.txt`, 'a\n')), say('a is made')],
      'make b': [call(write(`${workspace}/b.txt`, 'b\n')), say('b is made')],
      'make c': [call(write(`${workspace}/c.txt`, 'c\n')), say('c is made')],
      'make d': [call(write(`${workspace}/d.txt`, 'd\n')), say('d is made')],
      'make e': [call(write(`${workspace}/e.txt`, 'e\n')), say('e is made')],
      'begin anew': [call(bash('rm *.txt; echo new > new.txt')), say('begun anew')],
      'go on': [say('went on')],
    }));
    const { session } = await at.client.talk(['make a', 'make b']);
    expect((await at.client.print('make c', '--resume', session, '--fork-session')).stdout).toContain('c is made');
    const afterC = observeWorkspace(at.workspace);
    const terminal = await at.client.open('--resume', session);
    await terminal.answers('make d', 'd is made');
    await terminal.type('/branch');
    await terminal.shows(/[Bb]ranched/);
    await terminal.answers('make e', 'e is made');
    await terminal.rewind('make a');
    await terminal.answers('begin anew', 'begun anew');
    await terminal.type('/exit');
    await terminal.ended();

    const { tree, forks } = forksOf(at);
    expect(drawn(tree.toSorted((a: { title: string }, b: { title: string }) => (a.title < b.title ? 1 : -1)))).toBe(
      'make a(make c make d) begin anew*',
    );
    expect(branchNamed(tree, 'make a').turns).toBe(2);
    expect(branchNamed(tree, 'make d')).toMatchObject({ turns: 2 });
    const places = forks.map(
      ({ at: place, children }: { at: string | null; children: string[] }) => `${place === null}: ${children.length}`,
    );
    expect(places.sort()).toEqual(['false: 2', 'true: 2']);
    expect(await goTo(at, 'make c')).toEqual(['make a', 'a is made', 'make b', 'b is made', 'make c', 'c is made']);
    expect(observeWorkspace(at.workspace)).toEqual(afterC);
  });
});
