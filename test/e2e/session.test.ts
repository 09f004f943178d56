import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { troubles } from '../daemon/support.ts';
import { observeWorkspace } from '../support/oracle.ts';
import { put } from '../support/scene.ts';
import { lab } from './lab.ts';
import { linesOf, promptRecord, recordsOf } from './records.ts';
import { agent, bash, call, edit, read, say, write } from './script.ts';

const NOTEBOOK = {
  cells: [{ cell_type: 'code', id: 'first', execution_count: null, metadata: {}, outputs: [], source: 'print(1)' }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe('a session of the real client', () => {
  test('[CKP-1] [CKP-2] each tool that changed something has its record, whatever tool it was', async () => {
    const at = await lab((workspace) => ({
      'Write the cart\nand its tests': [
        call(write(`${workspace}/src/cart.ts`, 'one\ntwo\n')),
        call(read(`${workspace}/src/cart.ts`)),
        call(edit(`${workspace}/src/cart.ts`, 'two', 'TWO\nthree')),
        say('written'),
      ],
      'now with the shell': [
        call(bash('mkdir made && echo a > made/a && echo b > made/b && rm old.txt && mv src/cart.ts src/basket.ts')),
        call(bash('ls')),
        call(bash('echo partly > partly; exit 3')),
        say('done'),
      ],
      'and the notebook': [
        call(read(`${workspace}/book.ipynb`)),
        call({ name: 'NotebookEdit', input: { notebook_path: `${workspace}/book.ipynb`, cell_id: 'first', new_source: 'print(2)' } }),
        call(write(`${workspace}/p.txt`, 'p\n'), write(`${workspace}/q.txt`, 'q\n'), bash('echo r > r.txt')),
        say('all done'),
      ],
    }));
    put(at.workspace, 'old.txt', 'old\n');
    put(at.workspace, 'book.ipynb', JSON.stringify(NOTEBOOK, null, 1));

    const { code, stderr, session } = await at.client.talk(['Write the cart\nand its tests', 'now with the shell', 'and the notebook']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(at)).toEqual([
      'session-start t0: Session startup, 0 changed +0 -0',
      'prompt t1: Write the cart, 0 changed +0 -0',
      'after-step t1 Write: Write cart.ts, 1 changed +2 -0',
      'after-step t1 Edit: Edit cart.ts, 1 changed +2 -1',
      'prompt t2: now with the shell, 0 changed +0 -0',
      'after-step t2 Bash: Bash: mkdir made && echo a > made/a && echo b > made/b && rm old.txt && mv src/cart.ts src/basket.ts, 5 changed +5 -4',
      'after-step t2 Bash: Bash: echo partly > partly; exit 3 (failed), 1 changed +1 -0',
      'prompt t3: and the notebook, 0 changed +0 -0',
      'after-step t3 NotebookEdit: NotebookEdit book.ipynb, 1 changed +1 -1',
      'after-step t3 Write: Write p.txt, 1 changed +1 -0',
      'after-step t3 Write: Write q.txt, 1 changed +1 -0',
      'after-step t3 Bash: Bash: echo r > r.txt, 1 changed +1 -0',
      'session-end t3: Session ended (other), 0 changed +0 -0',
    ]);
    expect(new Set(recordsOf(at).map((record) => record.session))).toEqual(new Set([session]));
    expect(troubles(at)).toEqual([]);
  });

  test('[CKP-1] what somebody changed between the steps, and after the last one, is told apart', async () => {
    const at = await lab((workspace) => ({
      'work beside me': [
        call(write(`${workspace}/mine.txt`, 'agent\n')),
        { ...call(bash('echo agent > other.txt')), meanwhile: () => writeFileSync(join(workspace, 'by-hand.txt'), 'one\ntwo\n') },
        { ...say('done'), meanwhile: () => writeFileSync(join(workspace, 'by-hand.txt'), 'one\n') },
      ],
    }));
    await at.client.talk(['work beside me']);
    expect(linesOf(at).slice(2, -1)).toEqual([
      'after-step t1 Write: Write mine.txt, 1 changed +1 -0',
      'before-step t1 Bash: Before Bash: echo agent > other.txt, 1 changed +2 -0',
      'after-step t1 Bash: Bash: echo agent > other.txt, 1 changed +1 -0',
      'turn-end t1: End of turn, 1 changed +0 -1',
    ]);
  });

  test('[AGT-1] subagents that work at the same time are told apart', async () => {
    const at = await lab((workspace) => ({
      'send two': [call(agent('look left', 'go left'), agent('look right', 'go right')), say('both are back')],
      'go left': [call(write(`${workspace}/left.txt`, 'left\n')), say('left is done')],
      'go right': [call(write(`${workspace}/right.txt`, 'right\n')), say('right is done')],
    }));
    const { code } = await at.client.talk(['send two']);
    expect(code).toBe(0);
    const steps = recordsOf(at).filter(({ kind }) => kind === 'after-step');
    const left = steps.find(({ description }) => description === 'Write left.txt');
    const right = steps.find(({ description }) => description === 'Write right.txt');
    expect([left?.tool, right?.tool]).toEqual(['Write', 'Write']);
    expect(left?.agentId).toMatch(/\w/);
    expect(right?.agentId).toMatch(/\w/);
    expect(left?.agentId).not.toBe(right?.agentId);
    expect(at.retake.json(at.workspace, 'show', left?.id ?? '').event.place.agentType).toBe('general-purpose');
    expect(steps.filter(({ tool }) => tool === 'Agent').map(({ agentId }) => agentId)).toEqual([null, null]);
  });

  test('[CKP-2] two sessions at once in one workspace keep their records apart', async () => {
    const at = await lab((workspace) => ({
      'first of A': [call(write(`${workspace}/a1.txt`, 'a\n')), say('a1')],
      'second of A': [call(bash('echo a > a2.txt')), say('a2')],
      'first of B': [call(write(`${workspace}/b1.txt`, 'b\n')), say('b1')],
      'second of B': [call(bash('echo b > b2.txt')), say('b2')],
    }));
    const [a, b] = await Promise.all([at.client.talk(['first of A', 'second of A']), at.client.talk(['first of B', 'second of B'])]);
    expect([a.code, b.code]).toEqual([0, 0]);
    const told = (session: string): string[] =>
      recordsOf(at, session)
        .filter(({ kind }) => kind !== 'before-step' && kind !== 'turn-end')
        .map(({ kind, turn, description }) => `${kind} t${turn} ${description}`);
    expect(told(a.session)).toEqual([
      'session-start t0 Session startup',
      'prompt t1 first of A',
      'after-step t1 Write a1.txt',
      'prompt t2 second of A',
      'after-step t2 Bash: echo a > a2.txt',
      'session-end t2 Session ended (other)',
    ]);
    expect(told(b.session)).toEqual(
      told(a.session).map((line) => line.replaceAll('A', 'B').replace('a1', 'b1').replace('echo a > a2', 'echo b > b2')),
    );
  });

  test('[RST-7] going back to before turn 2 takes back what the shell did too, and undo brings it all back', async () => {
    const at = await lab((workspace) => ({
      'turn one': [call(write(`${workspace}/kept.txt`, 'one\n')), call(bash('mkdir d; echo x > d/x; chmod 600 d/x')), say('one')],
      'turn two': [
        call(bash('rm -r d; mv kept.txt moved.txt; ln -s moved.txt link; mkdir empty')),
        call(write(`${workspace}/new.txt`, 'new\n')),
        say('two'),
      ],
      'turn three': [call(bash('echo more >> moved.txt')), say('three')],
    }));
    let beforeTwo = new Map<string, string>();
    await at.client.talk(['turn one']).then(() => (beforeTwo = observeWorkspace(at.workspace)));
    await at.client.talk(['turn two', 'turn three']);
    const after = observeWorkspace(at.workspace);
    expect(after).not.toEqual(beforeTwo);

    at.retake.json(at.workspace, 'rewind', promptRecord(at, 'turn two').id, '--yes');
    expect(observeWorkspace(at.workspace)).toEqual(beforeTwo);
    at.retake.json(at.workspace, 'undo', '--yes');
    expect(observeWorkspace(at.workspace)).toEqual(after);
  });
});
