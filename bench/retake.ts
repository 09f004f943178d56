import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type * as Engine from '../src/engine/index.ts';
import type { SessionId } from '../src/model/index.ts';

/** The engine as the package ships it: bundled, so that no time goes into finding and translating modules. */
const engine = (await import(join(import.meta.dirname, '../dist/engine.js'))) as typeof Engine;

export const { resolveRewind, collectGarbage, createCheckpoint, diskUse, maintain, readForks, recordEvent, rollBack, setClock, setPinned } =
  engine;
const { Workspace } = engine;

const PROGRAM = join(import.meta.dirname, '../bin/retake');

/** Opens a workspace for one piece of work, as every process does: nothing but code stays in memory from one to the next. */
export const inWorkspace = async <T>(home: string, directory: string, work: (workspace: Engine.Workspace) => Promise<T>): Promise<T> => {
  process.env.RETAKE_HOME = home;
  const workspace = await Workspace.open({ directory });
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
};

export const checkpointInProcess = (home: string, directory: string, session?: string): Promise<Engine.CheckpointResult> =>
  inWorkspace(home, directory, (workspace) => createCheckpoint(workspace, { session: session as SessionId | undefined }));

export const rollBackInProcess = (home: string, directory: string, target: string): Promise<Engine.RollbackResult> =>
  inWorkspace(home, directory, (workspace) => rollBack(workspace, resolveRewind(workspace, target)));

/** How many operations are recorded. */
export const logOf = (home: string, directory: string): Promise<number> =>
  inWorkspace(home, directory, async (workspace) => workspace.index.progress?.sequence ?? 0);

/** Runs the program as users do, from the start of its process to the end, and returns its answer. */
export const runProgram = <T>(home: string, directory: string, ...args: string[]): T => {
  const env = { ...process.env, RETAKE_HOME: home, RETAKE_DAEMON_ENABLED: 'false' };
  const options = { cwd: directory, env, maxBuffer: 2 ** 28 };
  return JSON.parse(execFileSync(PROGRAM, [...args, '--json'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).toString()) as T;
};
