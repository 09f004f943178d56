import { now } from '../../host/index.ts';
import {
  type Checkpoint,
  type ConversationChange,
  type Fork,
  type Recorded,
  RetakeError,
  type SessionId,
  shortId,
} from '../../model/index.ts';
import { writeContinuation } from '../../transcript/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { type AddressOptions, resolveCheckpoint, resolveUnrecorded } from '../read/resolve.ts';
import { recordFor } from '../rewind/request.ts';
import { type ConversationPlace, countTurns, findPlace, findUnrecorded, newSession, promptAt, resumeOf } from './conversation.ts';
import { type SummarySide, summaryOf } from './summary.ts';

export interface ForkRequest extends AddressOptions {
  readonly name?: string | undefined;
  /** The side of the place that a summary stands for. */
  readonly summary?: SummarySide;
}

export interface ForkResult {
  readonly fork: Recorded<Fork>;
  readonly session: SessionId;
  /** The command that goes on with the new session. */
  readonly resume: string;
  /** The prompt that followed the place, for editing; null where the new session still has it. */
  readonly prompt: string | null;
}

/**
 * Makes a session that goes on from the place of a checkpoint, with everything before it or with a summary of one side. The
 * present conversation and the code stay as they are (CNV-3, CNV-4).
 */
export const forkConversation = async (workspace: Workspace, address: string, request: ForkRequest = {}): Promise<ForkResult> => {
  const { target, place, title, name } = resolvePlace(workspace, address, request);
  const { source, transcript, cut } = place;
  if (cut === null || (request.summary === undefined && place.kept.length === 0)) throw nothingBefore(name, place);
  const summary = request.summary === undefined ? undefined : await summaryOf(workspace, place, request.summary);
  const session = newSession();
  const written = writeContinuation(transcript, { cut, session, folder: source.folder, ...(summary === undefined ? {} : { summary }) });
  if (written === null) throw nothingBefore(name, place);
  const turnsBefore = countTurns(request.summary === 'upto' ? place.rest : place.kept);
  const conversation: ConversationChange = {
    agent: source.agent,
    directory: source.directory,
    from: source.session,
    to: session,
    turnsBefore,
  };
  const fork = await workspace.write(() =>
    workspace.record((store) =>
      store.log.append<Fork>(
        store.objects.begin(),
        {
          kind: 'fork',
          session: source.session,
          createdAt: now().toISOString(),
          description: request.name ?? describeFork(request.summary, title),
          target: target.id,
          conversation,
          ...(request.name === undefined ? {} : { name: request.name }),
          ...(request.summary === undefined ? {} : { summary: request.summary }),
        },
        null,
      ),
    ),
  );
  return { fork, session, resume: resumeOf(conversation), prompt: request.summary === 'upto' ? null : promptAt(place) };
};

interface ForkedPlace {
  readonly place: ConversationPlace;
  /** What stands for it in the log. */
  readonly target: Recorded<Checkpoint>;
  readonly title: string;
  readonly name: string;
}

/** Where no code is recorded, the conversation alone tells of the place. */
const resolvePlace = (workspace: Workspace, address: string, request: AddressOptions): ForkedPlace => {
  const unrecorded = resolveUnrecorded(workspace, address, request);
  if (unrecorded !== undefined) {
    const { title } = unrecorded;
    return { target: recordFor(workspace, unrecorded), place: findUnrecorded(workspace, unrecorded), title, name: title };
  }
  const { operation: target } = resolveCheckpoint(workspace, address, request);
  return { target, place: findPlace(workspace, target), title: target.description, name: shortId(target.id) };
};

const describeFork = (summary: SummarySide | undefined, description: string): string => {
  if (summary === undefined) return `Fork before ${description}`;
  return summary === 'from' ? `Summary from ${description} on` : `Summary up to ${description}`;
};

const nothingBefore = (id: string, { source }: ConversationPlace): RetakeError =>
  new RetakeError('no-conversation', `Nothing was said before ${id}`, {
    hint: `Begin a new session: ${resumeOf({ ...source, from: source.session, to: null })}`,
  });
