import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './random.ts';

/** In each session. */
export const MESSAGES = 100;
const TURNS = 10;

/** Where the agent keeps the sessions of a directory. */
export const folderOfSessions = (directory: string): string => {
  const folder = join(process.env.HOME ?? '', '.claude/projects', directory.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Every third session was rewound once, every fifth is a copy of the one before that goes another way. Returns how many forks that makes. */
export const makeSessions = (folder: string, directory: string, sessions: number): number => {
  const random = new Random(7);
  let forks = 0;
  let before: Line[] = [];
  for (let number = 0; number < sessions; number++) {
    const session = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const isCopy = number % 5 === 4;
    const isRewound = number % 3 === 2;
    const lines: Line[] = isCopy ? before.slice(0, MESSAGES / 2) : [];
    if (isCopy) forks++;
    const turnLength = MESSAGES / TURNS;
    for (let at = lines.length; at < MESSAGES; at++) {
      const isPrompt = at % turnLength === 0;
      const rewinds = isRewound && at === MESSAGES - turnLength;
      if (rewinds) forks++;
      const above = rewinds ? lines[at - turnLength - 1] : lines[at - 1];
      const id = `${number}-${at}`;
      lines.push({ id, text: lineOf({ id, above: above?.id ?? null, isPrompt, directory, time: number * 3600 + at, random }) });
    }
    writeFileSync(join(folder, `${session}.jsonl`), lines.map(({ text }) => `${text.replace('SESSION', session)}\n`).join(''));
    before = lines;
  }
  return forks;
};

/** The conversation of a session of which more is known: its prompts as the agent's hooks named them, each with some replies. */
export const makeConversation = (folder: string, directory: string, session: string, prompts: readonly string[]): void => {
  const random = new Random(8);
  const lines: string[] = [];
  let above: string | null = null;
  for (const promptId of prompts)
    for (let at = 0; at < MESSAGES / TURNS; at++) {
      const id = `${session}-${lines.length}`;
      lines.push(lineOf({ id, above, isPrompt: at === 0, promptId, directory, time: lines.length, random }).replace('SESSION', session));
      above = id;
    }
  writeFileSync(join(folder, `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
};

interface Line {
  readonly id: string;
  readonly text: string;
}

interface LineContent {
  readonly id: string;
  readonly above: string | null;
  readonly isPrompt: boolean;
  readonly promptId?: string;
  readonly directory: string;
  readonly time: number;
  readonly random: Random;
}

const lineOf = ({ id, above, isPrompt, promptId = `p${id}`, directory, time, random }: LineContent): string => {
  const words = Array.from({ length: 40 }, () => random.pick(['the', 'cart', 'sum', 'of', 'tax', 'and', 'change', 'file', 'test'])).join(
    ' ',
  );
  return JSON.stringify({
    parentUuid: above,
    isSidechain: false,
    ...(isPrompt ? { promptId } : {}),
    type: isPrompt ? 'user' : 'assistant',
    message: isPrompt
      ? { role: 'user', content: `${id} ${words}` }
      : {
          id: `msg_${id}`,
          type: 'message',
          role: 'assistant',
          model: 'model',
          content: [{ type: 'text', text: words }],
          stop_reason: null,
        },
    uuid: id,
    timestamp: new Date(1_700_000_000_000 + time * 1000).toISOString(),
    cwd: directory,
    sessionId: 'SESSION',
    version: '2.1.325',
  });
};
