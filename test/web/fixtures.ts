import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { recordLongSession } from '../../bench/long-session.ts';
import { recordEvent, Workspace } from '../../src/engine/index.ts';
import type { AgentEvent, SessionId } from '../../src/model/index.ts';
import { PlayedSession, projectOf } from '../conversation/played-session.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { playShop } from './played.ts';

/** Workspaces for tests of many views, and some that are too large for a view that does not expect that. */

/** A shop in a git repository with a session that has some of everything: two branches, a subagent, edits of a person's, rollbacks and a checkpoint with a name. */
export const playEverything = async (at: Scene): Promise<PlayedSession> => {
  gitIn(at.workspace, 'init', '-q', '-b', 'main');
  put(at.workspace, 'LICENSE', 'Take it.\n');
  commitAll(at.workspace, 'Begin');
  const session = await playShop(at);
  const place = session.last;
  await session.prompt('Bring the sources back, and add a discount');
  await session.step('Write', { file_path: join(at.workspace, 'src/discount.ts') }, () =>
    put(at.workspace, 'src/discount.ts', 'export const discount = 0.1;\n'),
  );
  await session.answer('There is a discount of 10 % now.');
  at.retake.json(at.workspace, 'rewind', 't3', '--yes');
  session.rewindTo(place);
  await session.prompt('Add a voucher in place of it');
  await session.step('Write', { file_path: join(at.workspace, 'src/voucher.ts') }, () =>
    put(at.workspace, 'src/voucher.ts', 'export const voucher = 5;\n'),
  );
  await session.answer('A voucher takes 5 off.');
  at.retake.json(at.workspace, 'checkpoint', '--name', 'with vouchers', '--note', 'Shown to the customer; she likes it.');
  put(at.workspace, 'README.md', '# Shop\n\nA small shop, with tax and vouchers.\n');
  return session;
};

/** A session with a step that changes so many files, in folders of a hundred. */
export const playManyFiles = async (at: Scene, files: number): Promise<PlayedSession> => {
  const write = (text: string): void => {
    for (let number = 0; number < files; number++)
      put(at.workspace, `packages/part-${Math.floor(number / 100)}/file-${number}.ts`, `export const value = '${text} ${number}';\n`);
  };
  write('before');
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt(`Change ${files} files`);
  await session.step('Bash', { command: 'sed -i s/before/after/ packages/*/*', description: 'Change all of them' }, () => write('after'));
  await session.answer('All of them are changed.');
  return session;
};

/** A session that changes a text file of some megabytes at its beginning, in the middle and at its end. */
export const playLargeFile = async (at: Scene, megabytes: number): Promise<PlayedSession> => {
  const lines = Array.from({ length: megabytes * 10_000 }, (_, number) =>
    `${String(number).padStart(9, '0')} ${'some words of a log '.repeat(5)}`.slice(0, 99),
  );
  const write = (): string => put(at.workspace, 'data/large.log', `${lines.join('\n')}\n`);
  write();
  const session = new PlayedSession(at);
  await session.start();
  await session.prompt('Change the log');
  await session.step('Bash', { command: 'sed -i … data/large.log', description: 'Change some lines' }, () => {
    for (const place of [0, Math.floor(lines.length / 2), lines.length - 1]) lines[place] = `changed ${place}`;
    write();
  });
  await session.answer('Three lines are changed.');
  return session;
};

/** Does something with the engine itself in this process: hooks would take minutes. Not while a daemon is at work there. */
const withEngine = async <T>(at: Scene, work: (workspace: Workspace) => Promise<T>): Promise<T> => {
  for (const [name, value] of Object.entries(at.retake.env)) vi.stubEnv(name, value);
  const workspace = await Workspace.open({ directory: at.workspace });
  try {
    return await work(workspace);
  } finally {
    workspace.close();
    vi.unstubAllEnvs();
  }
};

/** A line of a session file, as the agent writes it. */
interface Said {
  readonly id: string;
  readonly after: string | null;
  readonly text: string;
  /** Of a prompt, as hooks name it. */
  readonly promptId?: string;
}

const FIRST = Date.parse('2026-11-17T08:00:00Z');

/** Writes down a conversation as the agent would; each line a second after the one before. */
const writeConversation = (at: Scene, session: string, said: readonly Said[]): string => {
  mkdirSync(projectOf(at), { recursive: true });
  const path = join(projectOf(at), `${session}.jsonl`);
  const lines = said.map(({ id, after, text, promptId }, number) =>
    JSON.stringify({
      parentUuid: after,
      isSidechain: false,
      ...(promptId === undefined ? {} : { promptId }),
      type: promptId === undefined ? 'assistant' : 'user',
      message:
        promptId === undefined
          ? { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'model', content: [{ type: 'text', text }], stop_reason: null }
          : { role: 'user', content: text },
      uuid: id,
      timestamp: new Date(FIRST + number * 1000).toISOString(),
      cwd: at.workspace,
      sessionId: session,
      version: '2.1.325',
    }),
  );
  writeFileSync(path, '');
  appendFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
};

const LONG_SESSION = '00000000-0000-4000-8000-00000000c0de';

/** Events of an agent in a session, recorded one after the other; what `hear` gives back is the checkpoint's id. */
const recorder = (at: Scene, workspace: Workspace, session: string) => {
  let told = 0;
  return async (kind: AgentEvent['kind'], description: string, place: Partial<AgentEvent['place']>): Promise<string> => {
    const common = { agent: 'claude-code', session: session as SessionId, directory: at.workspace, files: [], keyIsBrief: false };
    const event = { ...common, kind, key: `${kind} ${++told}`, description, place: { agent: 'claude-code', ...place } };
    const { checkpoint } = await recordEvent(workspace, event);
    if (checkpoint === null) throw new Error('nothing was recorded');
    return checkpoint.id;
  };
};

/** A conversation with so many ways to go on from its first answer, some of them forked again; the code of each is recorded. Returns the session. */
export const playManyBranches = async (at: Scene, branches: number): Promise<string> => {
  const session = '00000000-0000-4000-8000-0000000f0e55';
  const said: Said[] = [
    { id: 'root', after: null, text: 'Begin with the shop', promptId: 'prompt-root' },
    { id: 'answer-root', after: 'root', text: 'There it is.' },
  ];
  await withEngine(at, async (workspace) => {
    const hear = recorder(at, workspace, session);
    put(at.workspace, 'shop.ts', 'export const shop = [];\n');
    await hear('session-start', 'Session startup', {});
    await hear('prompt', 'Begin with the shop', { promptId: 'prompt-root' });
    for (let number = 1; number <= branches; number++) {
      // Of ten, two go out from the one before them.
      const after = number > 9 && number % 10 < 2 ? `answer-${number - 1 - (number % 10)}` : 'answer-root';
      const [id, promptId, text] = [`way-${number}`, `prompt-${number}`, `Way ${number}: try something else with the shop`];
      said.push({ id, after, text, promptId }, { id: `answer-${number}`, after: id, text: `Way ${number} is done.` });
      await hear('prompt', text, { promptId });
      put(at.workspace, 'shop.ts', `export const shop = ['way ${number}'];\n`);
      await hear('after-step', `Write shop.ts ${number}`, { promptId, tool: 'Write', toolUseId: `tool-${number}` });
    }
  });
  writeConversation(at, session, said);
  return session;
};

/** A session of so many checkpoints, ten of each turn, with its conversation. Returns the session. */
export const playLongSession = async (at: Scene, checkpoints: number): Promise<string> => {
  const said: Said[] = [];
  await withEngine(at, async (workspace) => {
    const hear = recorder(at, workspace, LONG_SESSION);
    let number = 0;
    await recordLongSession({
      checkpoints,
      change: () => put(at.workspace, `src/file-${number % 20}.ts`, `export const value = ${number++};\n`),
      prompt: (promptId) => {
        said.push({ id: promptId, after: said.at(-1)?.id ?? null, text: `Go on with ${promptId}`, promptId });
        said.push({ id: `answer to ${promptId}`, after: promptId, text: 'Done.' });
        return hear('prompt', `Go on with ${promptId}`, { promptId });
      },
      step: (promptId, toolUseId) => hear('after-step', `Write file-${number}.ts`, { promptId, toolUseId, tool: 'Write' }),
    });
  });
  writeConversation(at, LONG_SESSION, said);
  return LONG_SESSION;
};
