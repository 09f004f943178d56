/** What a UserPromptSubmit hook prints to put a line before the model, beside the prompt. */
export const encodeClaudeCodeNews = (line: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: line } });
