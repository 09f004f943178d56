import { join } from 'node:path';
import { PlayedSession, type Subagent } from '../conversation/played-session.ts';
import { forkScene, text } from '../forks/forked.ts';
import { put, type Scene } from '../support/scene.ts';

export interface Played {
  readonly at: Scene;
  readonly session: PlayedSession;
}

/** A workspace with some files, and an agent that was started in it. */
export const played = async (files: Readonly<Record<string, string>>, env: Record<string, string> = {}): Promise<Played> => {
  const at = forkScene(env);
  for (const [path, content] of Object.entries(files)) put(at.workspace, path, content);
  const session = new PlayedSession(at);
  await session.start();
  return { at, session };
};

/** One step of the agent that writes a file. */
export const write = ({ at, session }: Played, path: string, content: string, agent?: Subagent): Promise<void> =>
  session.step('Write', { file_path: join(at.workspace, path) }, () => put(at.workspace, path, content), agent);

export const contents = (at: Scene, ...paths: string[]): (string | undefined)[] => paths.map((path) => text(at, path));

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
export const logOf = (at: Scene): any[] => at.retake.json(at.workspace, 'log').operations;

/** The steps of the agent, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const stepsOf = (at: Scene): any[] =>
  logOf(at)
    .filter(({ kind }) => kind === 'after-step')
    .reverse();

/** The code of a refusal, and what it says. */
export const refusal = (
  at: Scene,
  ...args: string[]
): { exit: number; code: string; message: string; details: Record<string, unknown> } => {
  const { code: exit, json } = at.retake.run(at.workspace, ...args, '--json');
  return { exit, ...json.error };
};
