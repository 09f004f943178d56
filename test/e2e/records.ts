import type { Scene } from '../support/scene.ts';

/** An operation as `log --json` shows it. */
export interface Record {
  readonly id: string;
  readonly kind: string;
  readonly session: string;
  readonly turn: number | null;
  readonly description: string;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly agentId: string | null;
  readonly files: { readonly changed: number; readonly insertions: number; readonly deletions: number };
  readonly status: string;
}

/** Everything recorded in the workspace, oldest first. */
export const recordsOf = ({ retake, workspace }: Scene, session?: string): Record[] =>
  retake.json(workspace, 'log', '--limit', '1000', ...(session === undefined ? [] : ['--session', session])).operations.reverse();

/** `after-step t1 Edit: Edit cart.ts, 1 file +2 -1`, so that a whole session can be read at a glance. */
const asLine = ({ kind, turn, tool, agentId, description, files, status }: Record): string => {
  const who = `${tool === null ? '' : ` ${tool}`}${agentId === null ? '' : ' by a subagent'}`;
  const changes = `${files.changed} changed +${files.insertions} -${files.deletions}`;
  return `${kind} t${turn}${who}: ${description}, ${changes}${status === 'complete' ? '' : ` (${status})`}`;
};

export const linesOf = (at: Scene, session?: string): string[] => recordsOf(at, session).map(asLine);

/** The checkpoint made when a prompt was sent. */
export const promptRecord = (at: Scene, prompt: string): Record => {
  const found = recordsOf(at).findLast(({ kind, description }) => kind === 'prompt' && description === prompt);
  if (found === undefined) throw new Error(`no checkpoint for the prompt "${prompt}"`);
  return found;
};
