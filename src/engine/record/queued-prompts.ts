import { now } from '../../host/index.ts';
import type { AgentEvent, Checkpoint, Recorded, SessionId } from '../../model/index.ts';
import { promptsWrittenLast } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { contentBefore } from '../read/content-before.ts';
import { OpenSteps } from './open-steps.ts';

/**
 * Records the beginning of a turn of which no prompt told when it began. A prompt that is typed while the agent works comes with the id of
 * the turn under way, and so does not tell whether it is said to the agent in between or begins a turn of its own afterwards: the first event with
 * another id does. The code is as it was recorded last, when the turn before it ended. Needs the lock.
 */
export const recordQueuedPrompts = (workspace: Workspace, event: AgentEvent): void => {
  const begun = begunBy(workspace, event);
  for (const { prompt, promptId } of begun) recordBeginning(workspace, prompt, promptId);
  // A step that was denied or interrupted has told of no end.
  if (begun.length > 0 && event.kind === 'before-step') new OpenSteps(workspace).endTurn(event.session);
};

interface Begun {
  readonly prompt: Recorded<Checkpoint>;
  readonly promptId: string;
}

const begunBy = ({ index }: Workspace, { agent, kind, session, place: { promptId }, transcript }: AgentEvent): Begun[] => {
  if (promptId === undefined || (kind !== 'before-step' && kind !== 'after-step' && kind !== 'turn-end')) return [];
  if (index.newestPrompt(session)?.event?.place.promptId === promptId) return [];
  const waiting = waitingPrompts(index.promptsSinceTurn(session));
  if (waiting.length === 0 || index.hasTurnOf(session, promptId)) return [];
  const named = waiting.find(({ event }) => event?.place.promptId === promptId);
  if (named !== undefined) return [{ prompt: named, promptId }];
  const written = transcript === undefined ? undefined : promptsWrittenLast(agent, transcript);
  if (written === undefined) return [{ prompt: waiting.at(-1) as Recorded<Checkpoint>, promptId }];
  // A shell command that the person ran has an id as well, and the file may lag behind.
  const end = written.findIndex((one) => one.promptId === promptId);
  return tied(waiting, written.slice(0, end + 1), (id) => index.hasTurnOf(session, id));
};

/** Several that waited may be sent at once: each of them begins a turn, of which all but the last are over at once. */
const tied = (
  waiting: readonly Recorded<Checkpoint>[],
  written: readonly { readonly promptId: string; readonly text: string }[],
  isKnown: (promptId: string) => boolean,
): Begun[] => {
  const left = [...waiting];
  return written
    .filter(({ promptId }) => !isKnown(promptId))
    .flatMap(({ promptId, text }): Begun[] => {
      const at = left.findIndex(({ description }) => isFirstLineOf(description, text));
      const [prompt] = at < 0 ? [] : left.splice(at, 1);
      return prompt === undefined ? [] : [{ prompt, promptId }];
    });
};

/** A description is the first line, cut where it is too long. */
const isFirstLineOf = (description: string, text: string): boolean => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line === description || (description.endsWith('…') && line.startsWith(description.slice(0, -1)));
};

/** Those that began no turn yet. */
const waitingPrompts = (prompts: readonly Recorded<Checkpoint>[]): Recorded<Checkpoint>[] => {
  const begun = new Set(prompts.map(({ event }) => event?.queued));
  return prompts.filter(({ event }) => event?.added && !begun.has(event.key));
};

const recordBeginning = (workspace: Workspace, prompt: Recorded<Checkpoint>, promptId: string): void => {
  const { index } = workspace;
  const session: SessionId = prompt.session;
  const newest = index.newestContent();
  const content = contentBefore(workspace);
  if (newest === undefined || content === null) return;
  const { head = null, git: { move: _, ...git } = {} } = newest as Partial<Recorded<Checkpoint>>;
  workspace.record((store) =>
    store.log.append<Checkpoint>(
      store.objects.begin(),
      {
        kind: 'prompt',
        session,
        createdAt: now().toISOString(),
        description: prompt.description,
        status: content.manifest.omissions.length === 0 ? 'complete' : 'partial',
        previous: newest.id,
        head,
        ...('seen' in git ? { git } : {}),
        bytesAdded: 0,
        event: {
          key: `prompt ${promptId} queued`,
          place: { agent: prompt.event?.place.agent ?? '', promptId },
          turn: index.countTurns(session) + 1,
          ...(prompt.event?.conversation === undefined ? {} : { conversation: prompt.event.conversation }),
          ...(prompt.event === undefined ? {} : { queued: prompt.event.key }),
        },
      },
      { ...content, ...('seen' in git ? { git } : {}) },
    ),
  );
};
