/**
 * transcript: agents' session files → neutral messages (model/message.ts). It writes new session files and never changes one that
 * is there. What is particular to one agent's files is in a folder of its own.
 */
import type { SessionId } from '../model/index.ts';
import type { Companion, Continuation, ContinuationRequest, TranscriptFile } from './format.ts';
import { formatOf } from './formats.ts';
import { whyNoSessionFile } from './session-file.ts';
import type { Transcript } from './transcript.ts';

export { asText } from './as-text.ts';
export { digest } from './digest.ts';
export type { Companion, Continuation, ContinuationRequest, Cut, Summary, TranscriptFile } from './format.ts';
export { TRANSCRIPT_AGENTS } from './formats.ts';
export { openForReading } from './line-reader.ts';
export { resumeCommand } from './resume.ts';
export { whyNoSessionFile } from './session-file.ts';
export { Transcript } from './transcript.ts';
export { promptsWrittenLast } from './written-last.ts';

/** All session files that an agent keeps for a working directory, newest first. To find out about those not known, they are read. */
export const transcriptsOf = (
  agent: string,
  directory: string,
  isKnown: (file: TranscriptFile) => boolean = () => false,
): TranscriptFile[] =>
  formatOf(agent)
    .transcriptsOf(directory, isKnown)
    .filter(({ session, path, isLink }) => !isLink || whyNoSessionFile(agent, session, path) === null);

export const findTranscript = (agent: string, session: SessionId, directory: string): TranscriptFile | undefined =>
  transcriptsOf(agent, directory).find((file) => file.session === session);

/** What an agent keeps of a session beside its file. */
export const companionsOf = (agent: string, path: string): readonly Companion[] => formatOf(agent).companions(path);

/** Where an agent looks for the sessions of a directory. */
export const sessionFolder = (agent: string, directory: string): string => formatOf(agent).folderOf(directory);

/**
 * Writes a new session file beside the old one, or into the folder that is asked for, which a resumed agent takes for its past. Null when nothing would be left to resume,
 * as when rewinding to the first prompt.
 */
export const writeContinuation = (transcript: Transcript, request: ContinuationRequest): Continuation | null => {
  transcript.refresh();
  return transcript.conversation.writeContinuation(transcript, request);
};
