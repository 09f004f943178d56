import type { OperationId, SessionId } from '../model/index.ts';

/** A step as a commit tells of it. */
interface ToldStep {
  readonly tool: string | null;
  readonly toolUseId: string | null;
  /** The subagent that did it, and its kind. */
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly description: string;
}

interface ToldWork {
  readonly session: SessionId;
  readonly agent: string | null;
  /** What the user asked for, in order. */
  readonly prompts: readonly string[];
  readonly steps: readonly ToldStep[];
  /** The state that the commit is made of. */
  readonly checkpoint: OperationId;
  /** The step that it is called by where there is no prompt; the first unless told. */
  readonly lead?: ToldStep | undefined;
  /** What it is called where there is neither a prompt nor a step. */
  readonly title?: string;
}

const LONGEST_HEADLINE = 72;
/** More of a prompt is pasted matter that nobody looks for in a commit. */
const LONGEST_PROMPT = 10_000;
const MOST_IDS = 50;

const AGENTS: Readonly<Record<string, string>> = { 'claude-code': 'Claude Code' };

/** What people call an agent. */
const agentName = (agent: string): string => AGENTS[agent] ?? agent;

/** A headline, the prompts where they say more than that, and trailers that git finds (GIT-3). */
export const commitMessage = (work: ToldWork): string => {
  const prompts = work.prompts.map(cleaned).filter((prompt) => prompt !== '');
  const headline = shortened(firstLine(prompts[0] ?? withoutPrompt(work)), LONGEST_HEADLINE);
  const body = beyond(headline, prompts).map((prompt) => shortened(prompt, LONGEST_PROMPT));
  return `${[headline, ...body.map(undivided), trailers(work).join('\n')].join('\n\n')}\n`;
};

/** The prompts without what the headline says already. */
const beyond = (headline: string, [first, ...others]: readonly string[]): string[] => {
  if (first === undefined) return [];
  const rest = firstLine(first) === headline ? first.split('\n').slice(1).join('\n').trim() : first;
  return [...(rest === '' ? [] : [rest]), ...others];
};

/** A message of somebody else's as it is, with trailers that tell where it was taken from unless it tells already. */
export const withTrailers = (message: string, told: { readonly session: SessionId | null; readonly checkpoint: OperationId }): string => {
  const paragraphs = message.trimEnd().split('\n\n');
  const last = paragraphs.at(-1) ?? '';
  const hasTrailers = paragraphs.length > 1 && last.split('\n').every((line) => /^(?:[A-Za-z0-9-]+: |\s)/.test(line));
  const kept = hasTrailers ? last.split('\n').filter((line) => !line.startsWith('Checkpoint: ')) : [];
  const session = told.session === null || kept.some((line) => line.startsWith('Session: ')) ? [] : [`Session: ${oneLine(told.session)}`];
  const body = hasTrailers ? paragraphs.slice(0, -1) : paragraphs;
  return `${[...body, [...kept, ...session, `Checkpoint: ${told.checkpoint}`].join('\n')].join('\n\n')}\n`;
};

/** The first line of a message. */
export const headlineOf = (message: string): string => firstLine(message);

const withoutPrompt = ({ agent, steps: [first], lead: step = first, title }: ToldWork): string => {
  if (step === undefined) return oneLine(title ?? 'Recorded work') || 'Recorded work';
  const who = [agent === null ? [] : [agentName(agent)], step.tool === null ? [] : [`[${step.tool}]`]].flat().join(' ');
  return oneLine(who === '' ? step.description : `${who}: ${step.description}`);
};

const trailers = ({ session, agent, steps, checkpoint }: ToldWork): string[] => {
  const all = (key: string, told: (step: ToldStep) => string | null, most = Number.POSITIVE_INFINITY): [string, string][] =>
    [...new Set(steps.map(told).filter((value) => value !== null))].slice(0, most).map((value) => [key, value]);
  return [
    ['Session', session],
    ...(agent === null ? [] : [['Agent', agentName(agent)]]),
    ...all('Agent-Id', ({ agentId }) => agentId, MOST_IDS),
    ...all('Agent-Type', ({ agentType }) => agentType),
    ...all('Tool', ({ tool }) => tool),
    ...all('Tool-Use-Id', ({ toolUseId }) => toolUseId, MOST_IDS),
    ['Checkpoint', checkpoint],
  ].map(([key, value]) => `${key}: ${oneLine(value ?? '')}`);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: git takes no NUL in a message, and people read no others
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const cleaned = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const oneLine = (text: string): string => cleaned(text).replaceAll(/\s+/g, ' ');

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';

/** By whole characters. */
const shortened = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
};

/** A line of dashes ends a message for tools that read patches, and the trailers would be lost on them. */
const undivided = (text: string): string => text.replaceAll(/^---/gm, ' ---');
