import { type Call, type Stage, stage } from './stage.ts';
import type { Work } from './works.ts';

/** What an agent and a person do. */
export interface Hands {
  readonly agent: Work;
  readonly mine: Work;
  /** Without a name the tool is one that can change anything. */
  readonly call?: Call;
  /** Whether the person acts before the agent's step, after it, or while it is under way. */
  readonly when?: 'before' | 'after' | 'during';
}

/** The agent's turn, and what the person does. */
export const play = async (start: Work, { agent, mine, call = {}, when = 'after' }: Hands): Promise<Stage> => {
  const at = await stage(start);
  const actor = at.actor('s');
  await actor.start();
  await actor.prompt('first');
  if (when === 'before') mine(at.root);
  await actor.step(() => {
    agent(at.root);
    if (when === 'during') mine(at.root);
  }, call);
  if (when === 'after') mine(at.root);
  return at;
};
