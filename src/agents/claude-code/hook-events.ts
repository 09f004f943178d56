interface HookEvent {
  readonly name: string;
  /** Whether the event takes a matcher; ours matches everything. */
  readonly hasMatcher: boolean;
}

/** What Claude Code tells Retake, in the order of a session. */
const EVENTS: readonly HookEvent[] = [
  { name: 'SessionStart', hasMatcher: true },
  { name: 'UserPromptSubmit', hasMatcher: false },
  { name: 'PreToolUse', hasMatcher: true },
  { name: 'PostToolUse', hasMatcher: true },
  { name: 'PostToolUseFailure', hasMatcher: true },
  { name: 'Stop', hasMatcher: false },
  { name: 'PreCompact', hasMatcher: true },
  { name: 'SessionEnd', hasMatcher: true },
];

export const EVENT_NAMES: readonly string[] = EVENTS.map(({ name }) => name);

/** Seconds. The hook lets go far sooner by itself (`hook.deadlineMs`), and must not be ended before it has kept the event. */
const TIMEOUT = 30;

/** The entry of an event in Claude Code's settings. */
export const hookGroup = (event: string, command: string) => ({
  ...(EVENTS.some(({ name, hasMatcher }) => name === event && hasMatcher) ? { matcher: '*' } : {}),
  hooks: [{ type: 'command', command, timeout: TIMEOUT }],
});
