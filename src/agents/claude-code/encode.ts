/** Hooks whose answer may put a line before the model: beside the prompt, before a tool's result, or with it. */
const READ_BY_MODEL: ReadonlySet<unknown> = new Set(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

/** What the hook of an event prints to put a line before the model. */
export const encodeClaudeCodeNews = ({ hook_event_name }: Readonly<Record<string, unknown>>, line: string): string =>
  READ_BY_MODEL.has(hook_event_name)
    ? JSON.stringify({ hookSpecificOutput: { hookEventName: hook_event_name, additionalContext: line } })
    : '';
