import { RetakeError, type SessionId } from '../model/index.ts';
import { claudeCode } from './claude-code/index.ts';
import type { Companion, Conversation, Subagent, TranscriptFile, WrittenPrompt } from './format.ts';

/** All that is particular to one agent's session files. */
export interface AgentFormat {
  transcriptsOf(directory: string, isKnown: (file: TranscriptFile) => boolean): TranscriptFile[];
  conversation(): Conversation;
  /** What a line says if it is a prompt of the person's, and the agent's id of it. */
  promptIn(line: string): WrittenPrompt | null;
  subagents(path: string): readonly Subagent[];
  /** The other files of a session, by their names below the folder that is called like it. */
  companions(path: string): readonly Companion[];
  /** Where the agent looks for the sessions of a directory. */
  folderOf(directory: string): string;
  /** Whether the agent keeps this session in this file, whose path has no links. */
  isPlaceOf(session: SessionId, path: string): boolean;
  /** Whether a line, as JSON, is one that the agent wrote into this session's file. */
  isLineOf(session: SessionId, line: Readonly<Record<string, unknown>>): boolean;
  /** The command and its arguments, without the directory. */
  resume(session: SessionId | null): readonly string[];
}

const FORMATS: ReadonlyMap<string, AgentFormat> = new Map([['claude-code', claudeCode]]);

/** The agents whose session files can be read. */
export const TRANSCRIPT_AGENTS: readonly string[] = [...FORMATS.keys()];

export const formatOf = (agent: string): AgentFormat => {
  const format = FORMATS.get(agent);
  if (format === undefined) {
    throw new RetakeError('usage', `The session files of ${JSON.stringify(agent)} can't be read`, {
      hint: `Those of these agents can: ${TRANSCRIPT_AGENTS.join(', ')}`,
    });
  }
  return format;
};
