import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, SessionId } from '../src/model/index.ts';
import { makeText } from './contents.ts';
import { recordLongSession } from './long-session.ts';
import type { Bench } from './plan.ts';
import { Random } from './random.ts';
import { projectPaths, writeProject } from './repositories.ts';
import { inWorkspace, recordEvent } from './retake.ts';
import { say } from './say.ts';
import { folderOfSessions, MESSAGES, makeSessions } from './sessions.ts';
import type { Workshop } from './workshop.ts';

/** Files of the project while its history is made; small, so that the history is what takes time. */
export const FILES = 50;
export const SESSION = 'bench' as SessionId;
const AGENT = 'claude-code';

/** A store with one long session, beside the conversations of many others. */
export interface LongStore {
  readonly home: string;
  readonly directory: string;
  /** Prompts of the long session, as the agent names them. */
  readonly prompts: readonly string[];
  /** Between these checkpoints, many files differ. */
  readonly changes: { readonly before: string; readonly after: string };
}

const made = new WeakMap<Workshop, Promise<LongStore>>();

/** Made once for all measurements of a run. */
export const longStore = (bench: Bench): Promise<LongStore> => {
  const making = made.get(bench.workshop) ?? make(bench);
  made.set(bench.workshop, making);
  return making;
};

const make = async ({ workshop, plan }: Bench): Promise<LongStore> => {
  const { sessions } = plan;
  const { checkpoints, files } = plan.http;
  const directory = workshop.freshDirectory('workspace');
  const home = workshop.fresh('retake');
  writeProject(directory, FILES);
  say(`a long session: ${sessions} others with ${sessions * MESSAGES} messages`);
  makeSessions(folderOfSessions(directory), directory, sessions);
  const random = new Random(9);
  const paths = projectPaths(FILES);
  const prompts: string[] = [];
  const changes = await inWorkspace(home, directory, async (workspace) => {
    let told = 0;
    const hear = async (kind: AgentEvent['kind'], place: Partial<AgentEvent['place']>): Promise<string> => {
      const key = `${kind} ${++told}`;
      const event = { agent: AGENT, session: SESSION, kind, key, keyIsBrief: false, directory, description: key, files: [] };
      const { checkpoint } = await recordEvent(workspace, { ...event, place: { agent: AGENT, ...place } });
      if (checkpoint === null) throw new Error('not measured: nothing was recorded');
      return checkpoint.id;
    };
    await recordLongSession({
      checkpoints,
      change: () => writeFileSync(join(directory, random.pick(paths)), makeText(random, 1000)),
      prompt: (promptId) => {
        prompts.push(promptId);
        return hear('prompt', { promptId });
      },
      step: (_, toolUseId) => hear('after-step', { toolUseId }),
      onProgress: (number) => {
        if (number % 1000 === 0) say(`a long session: ${number} of ${checkpoints} checkpoints`);
      },
    });
    const record = (): Promise<string> => hear('after-step', { toolUseId: `tool of ${told}` });
    const many = Array.from({ length: files }, (_, at) => join(directory, `many-${at}.txt`));
    for (const path of many) writeFileSync(path, makeText(random, 4000));
    const before = await record();
    for (const path of many) writeFileSync(path, makeText(random, 4000));
    return { before, after: await record() };
  });
  return { home, directory, prompts, changes };
};
