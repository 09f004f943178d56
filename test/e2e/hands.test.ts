import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../daemon/support.ts';
import { put } from '../support/scene.ts';
import { type Lab, lab } from './lab.ts';
import { promptRecord, recordsOf } from './records.ts';
import { agent, bash, call, edit, read, say, write } from './script.ts';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
const numbers = (changes: Readonly<Record<string, string>> = {}): string => `${NUMBERS.map((line) => changes[line] ?? line).join('\n')}\n`;

const contentOf = ({ workspace }: Pick<Lab, 'workspace'>, path: string): string | null =>
  existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : null;

/** The person's editor: changes one line of a file as it is now. */
const change = (workspace: string, line: string, to: string): string =>
  put(workspace, 'cart.txt', readFileSync(join(workspace, 'cart.txt'), 'utf8').replace(`${line}\n`, `${to}\n`));

describe('the person and the agent in the same files', () => {
  test('[RST-9] [RST-10] edits of the person between two prompts, and while a subagent is at work', async () => {
    const at = await lab((workspace) => {
      const cart = `${workspace}/cart.txt`;
      return {
        'change the top': [call(read(cart)), call(edit(cart, 'one', 'ONE')), say('top is changed')],
        'send somebody': [call(agent('change', 'change the middle')), say('somebody was there')],
        'change the middle': [
          call(read(cart)),
          call(edit(cart, 'six', 'SIX')),
          { ...call(bash('echo made > made.txt')), meanwhile: () => change(workspace, 'eight', 'mine, eight') },
          { ...say('middle is changed'), meanwhile: () => put(workspace, 'mine.txt', 'mine\n') },
        ],
        'change the end': [call(read(cart)), call(edit(cart, 'eleven', 'ELEVEN')), say('end is changed')],
      };
    });
    const { workspace, retake } = at;
    put(workspace, 'cart.txt', numbers());
    const { session } = await at.client.talk(['change the top']);
    change(workspace, 'three', 'mine, three');
    for (const prompt of ['send somebody', 'change the end']) await at.client.print(prompt, '--resume', session);
    const mine = { three: 'mine, three', eight: 'mine, eight' };
    const all = numbers({ ...mine, one: 'ONE', six: 'SIX', eleven: 'ELEVEN' });
    expect(contentOf(at, 'cart.txt')).toBe(all);

    const plan = retake.json(workspace, 'rewind', 't2', '--keep-mine', '--dry-run');
    expect(plan.operations).toMatchObject([
      { path: 'cart.txt', by: 'both' },
      { path: 'made.txt', by: 'agent' },
    ]);
    expect(plan.stays).toMatchObject([{ path: 'mine.txt', by: 'person' }]);
    retake.json(workspace, 'rewind', 't2', '--keep-mine', '--yes');
    expect(contentOf(at, 'cart.txt')).toBe(numbers({ ...mine, one: 'ONE' }));
    expect([contentOf(at, 'made.txt'), contentOf(at, 'mine.txt')]).toEqual([null, 'mine\n']);
    retake.json(workspace, 'undo', '--yes');
    expect(contentOf(at, 'cart.txt')).toBe(all);
    expect(contentOf(at, 'made.txt')).toBe('made\n');

    const subagent = recordsOf(at).find(({ agentId }) => agentId !== null)?.agentId ?? '';
    retake.json(workspace, 'revert', subagent, '--yes');
    expect(contentOf(at, 'cart.txt')).toBe(numbers({ ...mine, one: 'ONE', eleven: 'ELEVEN' }));
    expect(contentOf(at, 'made.txt')).toBeNull();
    retake.json(workspace, 'undo', '--yes');
    retake.json(workspace, 'revert', 't1', '--yes');
    expect(contentOf(at, 'cart.txt')).toBe(numbers({ ...mine, six: 'SIX', eleven: 'ELEVEN' }));
  });

  test('[RST-11] two clients in one workspace: each goes back by itself, and the other is named', async () => {
    const at = await lab((workspace) => {
      const cart = `${workspace}/cart.txt`;
      const onceThere = (path: string) => () => until(() => existsSync(join(workspace, path)));
      return {
        'first begins': [
          call(write(`${workspace}/first.txt`, 'first\n')),
          { ...call(read(cart)), meanwhile: onceThere('second.txt') },
          call(edit(cart, 'one', 'ONE')),
          say('first is done'),
        ],
        'second begins': [
          { ...call(write(`${workspace}/second.txt`, 'second\n')), meanwhile: onceThere('first.txt') },
          { ...call(read(cart)), meanwhile: () => until(() => contentOf({ workspace }, 'cart.txt') !== numbers()) },
          call(edit(cart, 'nine', 'NINE')),
          say('second is done'),
        ],
      };
    });
    const { workspace, retake } = at;
    put(workspace, 'cart.txt', numbers());
    const [first, second] = await Promise.all([at.client.talk(['first begins']), at.client.talk(['second begins'])]);
    expect(contentOf(at, 'cart.txt')).toBe(numbers({ one: 'ONE', nine: 'NINE' }));

    const target = promptRecord(at, 'first begins').id;
    const plan = retake.json(workspace, 'rewind', target, '--dry-run');
    expect(plan.warnings.join('\n')).toContain(`session ${second.session} worked here at the same time`);
    expect(plan.warnings.join('\n')).toContain('cart.txt was changed by sessions');
    retake.json(workspace, 'rewind', target, '--yes');
    expect([contentOf(at, 'cart.txt'), contentOf(at, 'first.txt'), contentOf(at, 'second.txt')]).toEqual([
      numbers({ nine: 'NINE' }),
      null,
      'second\n',
    ]);
    retake.json(workspace, 'undo', '--yes');
    retake.json(workspace, 'rewind', target, '--all-sessions', '--yes');
    expect([contentOf(at, 'cart.txt'), contentOf(at, 'second.txt')]).toEqual([numbers(), null]);
    expect(first.session).not.toBe(second.session);
  });
});
