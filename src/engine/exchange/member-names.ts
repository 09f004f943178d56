export const MEMBER = {
  readme: 'README.txt',
  manifest: 'manifest.json',
  operations: 'operations.bundle',
  messages: 'conversation/messages.jsonl',
  session: 'conversation/session.jsonl',
} as const;

const FIXED: ReadonlySet<string> = new Set(Object.values(MEMBER));

/** The folder of what the agent keeps beside the session's file. */
const COMPANIONS = 'conversation/session/';

export const companionMember = (name: string): string => `${COMPANIONS}${name}`;

/** No name but these is taken from a file, so that none can lead out of the folder that it is unpacked to. */
export const isMember = (name: string): boolean =>
  FIXED.has(name) || /^conversation\/session\/subagents\/[\w-]{1,50}\.(?:jsonl|meta\.json)$/.test(name);
