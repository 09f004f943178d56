/** The parts of the Messages API that the client sends and the scripted model reads. */
export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const blocksOf = ({ content }: Message): readonly Block[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/** Where an answer belongs: which prompt of the script was the last, and how often the model answered since. */
export interface Place {
  readonly prompt: string;
  readonly step: number;
}

/**
 * Found from the conversation alone: sessions beside each other, subagents, resumed and rewound conversations need no count
 * that somebody would have to keep.
 */
export const placeIn = (messages: readonly Message[], prompts: ReadonlySet<string>): Place | undefined => {
  let step = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') step++;
    if (message.role !== 'user') continue;
    const prompt = blocksOf(message)
      .map(({ text }) => text?.trim() ?? '')
      .findLast((text) => prompts.has(text));
    if (prompt !== undefined) return { prompt, step };
  }
  return undefined;
};

/** What people would call the conversation: without reminders that the client adds, one line per block. */
export const outline = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) =>
    message.role === 'system'
      ? []
      : blocksOf(message)
          .filter(({ text }) => text === undefined || !text.trimStart().startsWith('<system-reminder>'))
          .map((block) => `${message.role}: ${sayBlock(block)}`),
  );

const sayBlock = ({ type, text, name }: Block): string => {
  if (type === 'text') return text?.trim() ?? '';
  return type === 'tool_use' ? `[${name}]` : `[${type}]`;
};

/** Everything that the conversation consists of, without what the client adds for the moment. */
export const substance = (messages: readonly Message[]): unknown[] =>
  messages
    .filter(({ role }) => role !== 'system')
    .flatMap((message) => blocksOf(message).map((block) => ({ role: message.role, ...block, cache_control: undefined })))
    .filter(({ text }: Block) => text === undefined || !text.trimStart().startsWith('<system-reminder>'));
