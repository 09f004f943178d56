import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message, SessionId } from '../../src/model/index.ts';
import { Transcript } from '../../src/transcript/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Session files that Claude Code wrote. */
export const GENUINE = {
  compact: 'compact.jsonl',
  rewind: 'rewind-nested.jsonl',
  subagent: 'subagent/957ba40a-55b7-4e8b-b7eb-dc673af95261.jsonl',
  fork: 'fork-session/27d32b05-5c20-41cf-9458-421b13b2a428.jsonl',
  forked: 'fork-session/5b4499fa-1ff0-40d7-9160-813b97c0fdea.jsonl',
} as const;

export type Genuine = keyof typeof GENUINE;

export const genuinePath = (name: Genuine): string => fileURLToPath(new URL(`../fixtures/claude-code/${GENUINE[name]}`, import.meta.url));

export const open = (path: string): Transcript =>
  Transcript.open({ agent: 'claude-code', session: basename(path, '.jsonl') as SessionId, path });

/** A copy where sessions lie in the user's home, for writing beside it. */
export const copyOf = (name: Genuine): string => {
  const bytes = readFileSync(genuinePath(name));
  const first = (JSON.parse(bytes.toString('utf8').split('\n', 1)[0] ?? '') as { sessionId: string }).sessionId;
  return sessionFile(bytes, first);
};

export const SESSION = '0a1b2c3d-0000-4000-8000-000000000001' as SessionId;
export const NEXT = '0a1b2c3d-0000-4000-8000-000000000002' as SessionId;

export const sessionFile = (content: string | Uint8Array, session: string = SESSION): string => {
  const path = join(temporaryDirectory(), '.claude', 'projects', '-home-dev-shop', `${session}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};

export const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

export type Line = Record<string, unknown>;

export const jsonl = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Opens a session of these lines. */
export const session = (lines: readonly unknown[]): Transcript => open(sessionFile(jsonl(lines)));

const chain = (uuid: string, parentUuid: string | null, rest: Line): Line => ({
  parentUuid,
  isSidechain: false,
  uuid,
  sessionId: SESSION,
  cwd: '/home/dev/shop',
  ...rest,
});

export const prompt = (uuid: string, parent: string | null, content: unknown = uuid, rest: Line = {}): Line =>
  chain(uuid, parent, { type: 'user', message: { role: 'user', content }, ...rest });

export const reply = (uuid: string, parent: string | null, id: string, ...content: unknown[]): Line =>
  chain(uuid, parent, { type: 'assistant', message: { id, role: 'assistant', model: 'a-model', content } });

export const said = (text: string): Line => ({ type: 'text', text });

export const call = (id: string, name = 'Bash', input: unknown = { command: id }): Line => ({ type: 'tool_use', id, name, input });

export const result = (uuid: string, parent: string, id: string, content: unknown = `result of ${id}`): Line =>
  chain(uuid, parent, { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] } });

export const link = (uuid: string, parent: string | null, rest: Line = {}): Line =>
  chain(uuid, parent, { type: 'attachment', attachment: { type: 'date' }, ...rest });

export const boundary = (uuid: string, logicalParentUuid: string, compactMetadata: Line = {}): Line =>
  chain(uuid, null, { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid, compactMetadata });

export const textsOf = (messages: readonly Message[]): string[] => messages.map((message) => message.text);

export const idsOf = (messages: readonly Message[]): string[] => messages.map((message) => message.id);
