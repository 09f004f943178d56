/** What the scripted model does in one answer. */
export interface Step {
  readonly text?: string;
  /** Several are called in parallel. */
  readonly tools?: readonly ToolCall[];
  /** Begins to answer and goes on no further, until the client gives up. */
  readonly stalls?: boolean;
  /** What happens in the world before the model answers, which waits for it. */
  readonly meanwhile?: () => unknown;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** For each prompt, of a person or for a subagent, the model's answers to it, one after the other. */
export type Script = Readonly<Record<string, readonly Step[]>>;

export const say = (text: string): Step => ({ text });
export const stall: Step = { text: 'Let me think', stalls: true };
export const call = (...tools: readonly ToolCall[]): Step => ({ tools });

export const write = (file_path: string, content: string): ToolCall => ({ name: 'Write', input: { file_path, content } });
export const edit = (file_path: string, old_string: string, new_string: string): ToolCall => ({
  name: 'Edit',
  input: { file_path, old_string, new_string },
});
export const read = (file_path: string): ToolCall => ({ name: 'Read', input: { file_path } });
export const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'Runs a command' } });
export const agent = (description: string, prompt: string): ToolCall => ({
  name: 'Agent',
  input: { description, prompt, subagent_type: 'general-purpose', run_in_background: false },
});
