import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContents, readDetails, readWords } from '../../src/cli/picker/contents.ts';
import { Workspace } from '../../src/engine/index.ts';
import { serve } from '../api/served.ts';
import { exported, importedElsewhere } from '../exchange/other-machine.ts';
import { forkScene } from '../forks/forked.ts';
import { put, type Scene } from '../support/scene.ts';
import { PlayedSession } from './played-session.ts';

const write = (at: Scene, session: PlayedSession, path: string, text: string, agent?: Parameters<PlayedSession['step']>[3]) =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, text), agent);

/**
 * One session with all that makes counting hard: a fork, a subagent, calls that change nothing, edits of the person between steps and during a
 * call that reads, a step that was cut short, a rewind, an undo, a rewind of one file, and words typed while the agent worked.
 */
const richSession = async (at: Scene): Promise<PlayedSession> => {
  put(at.workspace, 'before.txt', 'before\n');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('begin');
  await write(at, session, 'a.txt', '1\n2\n3\n');
  await session.step('Read', {}, () => {});
  put(at.workspace, 'a.txt', '1\n2\n3\nmine\n');
  await write(at, session, 'a.txt', '1\ntwo\n3\nmine\n');
  await session.step('Bash', { command: 'true' }, () => {});
  await session.queue('and be quick');
  session.inject('and be quick');
  await write(at, session, 'sub.txt', 'sub\n', { agent_id: 'sub1', agent_type: 'Explore' });
  await session.answer('began');
  const place = session.last;
  await session.prompt('left');
  await write(at, session, 'left.txt', 'left\n');
  await session.answer('did left');
  at.retake.json(at.workspace, 'rewind', 't2', '--yes');
  session.rewindTo(place);
  await session.prompt('right');
  await session.step('Read', {}, () => put(at.workspace, 'mine.txt', 'mine\n'));
  await write(at, session, 'right.txt', 'right\n');
  await write(at, session, 'a.txt', '1\nTWO\n3\nmine\n');
  await session.step('Read', {}, () => put(at.workspace, 'mine.txt', 'mine again\n'));
  await session.begin('Bash', { command: 'make' });
  put(at.workspace, 'made.txt', 'made\n');
  await session.prompt('after an interruption');
  await write(at, session, 'b.txt', 'b\n');
  await session.answer('done');
  at.retake.json(at.workspace, 'rewind', 't3', '--yes');
  at.retake.json(at.workspace, 'undo', '--yes');
  at.retake.json(at.workspace, 'rewind', 't3', '--path', 'b.txt', '--yes');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'by hand');
  return session;
};

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Any = any;

/** Asks the engine itself; `serve` has set the environment for it. */
const inside = async <T>(at: Scene, work: (workspace: Workspace) => T): Promise<T> => {
  const workspace = await Workspace.open({ directory: at.workspace });
  try {
    return work(workspace);
  } finally {
    workspace.close();
  }
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const branchesIn = (tree: readonly Any[]): Any[] => tree.flatMap((branch) => [branch, ...branchesIn(branch.children)]);

test('[UI-1] whoever tells of a session tells the same numbers of turns, steps, files and lines', async () => {
  const at = forkScene();
  const session = await richSession(at);
  const { ask, faults } = serve(at);
  const params = { session: session.id };
  const cli = (...args: string[]): Any => at.retake.json(at.workspace, ...args);
  const { tree } = cli('forks');
  const branches = branchesIn(tree);
  const [begin, left, right] = branches;
  const listed = cli('sessions').sessions[0];
  const shown = cli('sessions', session.id);
  const details = await ask('getSession', { params });
  const report = cli('report', session.id);
  const { turns, total } = await ask('listTurns', { params });
  const ofLeft = await ask('listTurns', { params, query: { branch: left.branch } });
  const elsewhere = importedElsewhere(exported(at, session.id));
  const imported = elsewhere.retake.json(elsewhere.workspace, 'sessions').sessions[0];
  const log: Any[] = cli('log', '--session', session.id).operations;
  const compared = cli('compare', left.branch, '@');

  const ownTurns = {
    sessions: listed.turns,
    'sessions ID': shown.turns,
    'GET sessions': (await ask('listSessions', {})).sessions[0]?.turns,
    'GET session': details.turns,
    report: report.counts.turns,
    'turns of the report': report.turns.filter(({ number }: Any) => number !== null).length,
    forks: sum(branches.map((branch) => branch.turns)),
    log: new Set(log.filter(({ kind, messageId }) => kind === 'prompt' && messageId !== null).map(({ messageId }) => messageId)).size,
    'an import': imported.turns,
    'a plan': cli('rewind', 't1', '--dry-run').goesBack.turns,
  };
  expect(ownTurns).toEqual(Object.fromEntries(Object.keys(ownTurns).map((face) => [face, 4])));

  const turnsOnBranch = {
    'sessions ID': shown.onBranch.turns,
    'GET session': details.onBranch.turns,
    'GET turns': total,
    'GET turns of another branch, and the difference': ofLeft.total - left.turns + right.turns,
    forks: begin.turns + right.turns,
    picker: await inside(at, (workspace) => readContents(workspace, 'turns', session.id).places.length),
    t3: cli('show', 't3').turn,
    compare: begin.turns + compared.b.since.turns,
  };
  expect(turnsOnBranch).toEqual(Object.fromEntries(Object.keys(turnsOnBranch).map((face) => [face, 3])));
  expect(at.retake.run(at.workspace, 'show', 't4', '--json').json.error.message).toContain('it has 3');

  const ownSteps = {
    sessions: listed.steps,
    'sessions ID': shown.steps,
    'its work': shown.work.steps,
    'GET sessions': (await ask('listSessions', {})).sessions[0]?.steps,
    'GET session': details.steps,
    report: report.counts.steps,
    'steps of the report': report.turns.flatMap(({ happenings }: Any) => happenings.filter(({ is }: Any) => is === 'step')).length,
    'GET commits of all branches': (await ask('listCommits', { params, query: { all: true } })).total,
    'GET base': (await ask('getBase', { params })).commits.count,
    forks: sum(branches.map((branch) => branch.steps)),
    log: log.filter(({ state }) => state !== null).length,
    'an import': imported.steps,
    'a plan': cli('rewind', 't1', '--dry-run').goesBack.steps,
  };
  expect(ownSteps).toEqual(Object.fromEntries(Object.keys(ownSteps).map((face) => [face, 8])));

  const stepsOnBranch = {
    'sessions ID': shown.onBranch.steps,
    'GET session': details.onBranch.steps,
    'GET turns': sum(turns.map(({ steps }) => steps)),
    'GET commits': (await ask('listCommits', { params })).total,
    forks: begin.steps + right.steps,
    compare: begin.steps + compared.b.since.steps,
  };
  expect(stepsOnBranch).toEqual(Object.fromEntries(Object.keys(stepsOnBranch).map((face) => [face, 7])));
  // What the conversation calls is another number, with another name.
  expect(branches.map(({ toolCalls }) => toolCalls)).toEqual([5, 1, 6]);
  expect(sum(turns.map(({ toolCalls }) => toolCalls ?? 0))).toBe(begin.toolCalls + right.toolCalls);

  const edits = ({ files, insertions, deletions }: Any) => ({ files, insertions, deletions });
  expect(edits(shown)).toEqual({ files: 5, insertions: 9, deletions: 2 });
  expect([edits(details), report.edits]).toEqual([edits(shown), edits(shown)]);
  // What they come to is another number, with another name.
  expect(report.files).toHaveLength(5);
  expect(sum(report.files.map(({ insertions }: Any) => insertions))).toBe(7);

  const details3 = await inside(at, (workspace) => {
    const { places } = readContents(workspace, 'turns', session.id);
    return places.map(({ key }) => readDetails(workspace, places).get(key)?.counts);
  });
  expect(details3).toEqual(turns.map(({ files }) => files));
  // The picker marks the fork as the turns do, and finds it by the word.
  const { marks, words } = await inside(at, (workspace) => {
    const { places } = readContents(workspace, 'turns', session.id);
    const [details, found] = [readDetails(workspace, places), readWords(workspace, places)];
    return {
      marks: places.map(({ key }) => details.get(key)?.marks.includes('fork, 2 ways')),
      words: places.map(({ key }) => found.get(key)?.includes('fork, 2 ways')),
    };
  });
  expect([marks, words]).toEqual([turns.map(({ forkPoint }) => forkPoint !== null), [false, true, false]]);
  const [third] = turns;
  const { stats } = cli('diff', third?.checkpoint ?? '', third?.last ?? '');
  expect(stats).toMatchObject({ files: third?.files?.changed, insertions: third?.files?.insertions, deletions: third?.files?.deletions });
  expect(faults).toEqual([]);
});

test('[UI-1] people are told both numbers of turns and steps, each by its name', async () => {
  const at = forkScene();
  const session = await richSession(at);
  const said = (...args: string[]): string => at.retake.run(at.workspace, ...args).stdout;
  expect(said('sessions', session.id)).toContain('4 turns, 8 steps (1 rolled back), 5 files +9 -2 in its edits\n');
  expect(said('sessions', session.id)).toContain('On its branch, with what came from other sessions: 3 turns, 7 steps\n');
  expect(said('sessions')).toContain('4 turns, 8 steps');
  expect(said('forks')).toMatch(/begin +1 turn, 3 steps.*\n.*left +1 turn, 1 step .*\n.*right +2 turns, 4 steps/);
  expect(said('report', session.id)).toContain(
    '- Recorded: 4 turns, 8 steps, 4 rollbacks\n- Edits: 5 files, +9 −2 lines, one by one\n- Changed in the end: 5 files, +7 −0 lines\n',
  );
});

test('[UI-1] a session that begins with turns of another has its own, and those on its branch', async () => {
  const at = forkScene();
  const first = new PlayedSession(at);
  await first.start();
  for (const prompt of ['one', 'two']) {
    await first.prompt(prompt);
    await write(at, first, `${prompt}.txt`, `${prompt}\n`);
    await first.answer(`did ${prompt}`);
  }
  const { sessionId } = at.retake.json(at.workspace, 'rewind', 't2', '--scope', 'both', '--yes');
  const second = new PlayedSession(at, sessionId);
  await second.prompt('other');
  await write(at, second, 'other.txt', 'other\n');
  await write(at, second, 'more.txt', 'more\n');
  await second.answer('did other');
  // Nothing came of this one: some other hook refused it.
  await second.refused('no');
  await second.prompt('last');
  await second.answer('did last');
  const { ask } = serve(at);
  const told = async (session: string) => {
    const { turns, steps, onBranch } = await ask('getSession', { params: { session } });
    const { total } = await ask('listTurns', { params: { session } });
    expect(total).toBe(onBranch.turns);
    return { turns, steps, onBranch };
  };
  expect(await told(first.id)).toEqual({ turns: 2, steps: 2, onBranch: { turns: 2, steps: 2 } });
  expect(await told(second.id)).toEqual({ turns: 2, steps: 2, onBranch: { turns: 3, steps: 3 } });
});
