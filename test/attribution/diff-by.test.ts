import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { transplant } from '../../src/diff/text/index.ts';
import { PlayedSession } from '../conversation/played-session.ts';
import { played, refusal, stepsOf, write } from '../recover/played.ts';
import { put, type Scene } from '../support/scene.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];
const text = (changes: Readonly<Record<number, string>> = {}): string => `${LINES.map((line, at) => changes[at] ?? line).join('\n')}\n`;

type File = { path: string; status: string; insertions: number; deletions: number };
const brief = ({ files }: { files: File[] }): string[] =>
  files.map(({ path, status, insertions, deletions }) => `${status} ${path} +${insertions} -${deletions}`);

const diffBy = (at: Scene, who: string, ...more: string[]) => at.retake.json(at.workspace, 'diff', ...more, '--by', who);

/** The lines that a patch adds and takes away. */
const edits = ({ patch }: { patch: string }): string[] => patch.split('\n').filter((line) => /^[-+](?![-+])/.test(line));

/** Neighbouring lines of one file by the agent, a subagent and the person, in a file that the agent made too. */
const mixed = async () => {
  const it = await played({ 'a.txt': text() });
  const { at, session } = it;
  await session.prompt('first');
  await write(it, 'a.txt', text({ 2: 'agent' }));
  await write(it, 'new.txt', text());
  put(at.workspace, 'a.txt', text({ 2: 'agent', 3: 'mine' }));
  put(at.workspace, 'new.txt', text({ 5: 'mine too' }));
  await session.prompt('second');
  await write(it, 'a.txt', text({ 2: 'agent', 3: 'mine', 4: 'sub' }), { agent_id: 'a17', agent_type: 'Explore' });
  put(at.workspace, 'later.txt', 'not recorded yet\n');
  return it;
};

describe('diff --by', () => {
  test('[RST-8] [RST-10] each one has their own lines, and nobody those beside them', async () => {
    const { at, session } = await mixed();
    const person = diffBy(at, 'person', 't1', '--patch');
    expect(edits(person)).toEqual(['-four', '+mine', '+not recorded yet', '+mine too']);
    expect(person.groups).toEqual([]);
    const agents = diffBy(at, 'agent', 't1');
    expect(brief(agents)).toEqual(['modified a.txt +2 -2', 'added new.txt +6 -0']);
    expect(agents.stats).toEqual({ files: 2, insertions: 8, deletions: 2 });
    expect(agents.groups.map(brief)).toEqual([['modified a.txt +1 -1', 'added new.txt +6 -0'], ['modified a.txt +1 -1']]);
    expect(agents.groups).toMatchObject([
      { by: { agent: 'claude-code', agentId: null, session: session.id, turn: null, prompt: null } },
      { by: { agentId: 'a17', agentType: 'Explore' } },
    ]);
    const turns = diffBy(at, 'turn', 't1', '--path', 'a.txt');
    expect(turns.groups).toMatchObject([
      { by: { turn: 1, prompt: 'first' }, stats: { files: 1, insertions: 1, deletions: 1 } },
      { by: { turn: 2, prompt: 'second', agentId: null }, stats: { files: 1, insertions: 1, deletions: 1 } },
    ]);
    expect(edits(diffBy(at, 'agent=a17', 't1', '--patch'))).toEqual(['-five', '+sub']);
    expect(brief(diffBy(at, 'turn=t1', 't1'))).toEqual(['modified a.txt +1 -1', 'added new.txt +6 -0']);
    expect(brief(diffBy(at, 'turn=2', 't1', 't2'))).toEqual([]);
    expect(brief(diffBy(at, `step=${stepsOf(at)[1].id}`, 't1'))).toEqual(['added new.txt +6 -0']);
    const { stdout } = at.retake.run(at.workspace, 'diff', 't1', '--by', 'turn');
    expect(stdout).toMatch(/^t1 {2}claude-code {2}“first” .*\nmodified .* a\.txt\nadded .* new\.txt\n\nt2 .*“second”/);
  });

  test('[RST-9] what was taken out is nobody’s change any more; what was left behind leads nowhere', async () => {
    const it = await mixed();
    const { at, session } = it;
    const left = at.retake.json(at.workspace, 'checkpoint', '--name', 'left').id;
    at.retake.json(at.workspace, 'revert', 'a17', '--yes');
    expect(diffBy(at, 'agent', 't1').groups.map(brief)).toEqual([['modified a.txt +1 -1', 'added new.txt +6 -0']]);
    expect(brief(diffBy(at, 'agent=a17', 't1', 'left'))).toEqual(['modified a.txt +1 -1']);
    at.retake.json(at.workspace, 'rewind', 't2', '--no-keep-mine', '--yes');
    await session.prompt('other');
    await session.step('Bash', { command: 'x' }, () => put(at.workspace, 'b.txt', 'b\n'));
    expect(brief(diffBy(at, 'agent', 't2'))).toEqual(['added b.txt +1 -0']);
    expect(refusal(at, 'diff', left, '--by', 'agent')).toMatchObject({ exit: 1, code: 'left-behind' });
    expect(refusal(at, 'diff', 't2', 't1', '--by', 'person')).toMatchObject({ exit: 1, code: 'left-behind' });
    const step = stepsOf(at).find(({ agentId }) => agentId === 'a17').id;
    at.retake.json(at.workspace, 'recover', step, '--yes');
    expect(edits(diffBy(at, 'agent=a17', 't1', '--patch'))).toEqual(['-five', '+sub']);
  });

  test('[RST-11] sessions are groups of their own; what two did together is in both', async () => {
    const it = await played({ 'a.txt': text() });
    const { at } = it;
    const other = new PlayedSession(at);
    await other.start();
    await it.session.prompt('first');
    await other.prompt('elsewhere');
    const endOfA = await it.session.begin('Bash', { command: 'a' });
    const endOfB = await other.begin('Edit', { file_path: join(at.workspace, 'a.txt') });
    put(at.workspace, 'a.txt', text({ 0: 'both' }));
    put(at.workspace, 'b.txt', 'only the shell can have\n');
    await endOfA();
    await endOfB();
    const { groups } = diffBy(at, 'agent', 't1', '--session', it.session.id);
    expect(groups).toMatchObject([{ by: { session: it.session.id } }]);
    expect(brief(groups[0])).toEqual(['modified a.txt +1 -1', 'added b.txt +1 -0']);
    const from = at.retake.json(at.workspace, 'show', 't1', '--session', it.session.id).id;
    const all = diffBy(at, 'agent', from).groups;
    expect(all.find(({ by }: { by: { session: string } }) => by.session === other.id)).toMatchObject({
      files: [{ path: 'a.txt', insertions: 1, deletions: 1 }],
    });
    expect(brief(diffBy(at, 'person', from))).toEqual([]);
  });

  test('[CLI] nobody of that name', async () => {
    const { at } = await mixed();
    for (const who of ['nobody', 'person=me', 'turn=x', 'step', '']) {
      expect(refusal(at, 'diff', 't1', '--by', who)).toMatchObject({ exit: 2, code: 'usage' });
    }
    expect(refusal(at, 'diff', 't1', '--by', 'agent=nobody')).toMatchObject({ exit: 1, code: 'unknown-id' });
    expect(refusal(at, 'diff', 't1', '--by', 'turn=9')).toMatchObject({ exit: 1, code: 'unknown-id' });
    expect(refusal(at, 'diff', 't1', '--by', 'step=@-99')).toMatchObject({ exit: 1, code: 'unknown-id' });
  });
});

describe('lines of one change in another text', () => {
  const moved = (before: string, after: string, onto: string): string =>
    transplant(Buffer.from(before), Buffer.from(after), Buffer.from(onto)).toString();

  test('[RST-10] lines that are not there can not go, and nothing else does', () => {
    expect(moved('a\nB\nc\n', 'a\nX\nc\n', 'a\nb\nc\n')).toBe('a\nb\nX\nc\n');
    expect(moved('a\nb\nc\n', 'b\nc\nd\n', '')).toBe('d\n');
    expect(moved('a\nb\n', 'a\n', 'x\na\nb\n')).toBe('x\na\n');
    expect(moved('a\nb', 'a\nb\nc', 'a\nb')).toBe('a\nb\nc');
    expect(moved('a\n', 'a\nb\n', 'a')).toBe('a\nb\n');
  });
});
