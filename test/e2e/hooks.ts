import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from '../daemon/support.ts';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
];

export const settingsFile = (home: string): string => join(home, '.claude/settings.json');

export interface HookProgram {
  readonly node: string;
  readonly script: string;
}

/** Makes the client that lives in this home run our hook at every event. */
export const installHooks = (
  home: string,
  { node = process.execPath, script = join(DIST, 'hook.cjs') }: Partial<HookProgram> = {},
): void => {
  // The client tells its user of hooks that fail, for example because node moved: nobody is to be bothered with that.
  const command = `'${node}' '${script}' claude-code || :`;
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command, timeout: 60 }] }]]));
  const settings = JSON.parse(readFileSync(settingsFile(home), 'utf8'));
  writeFileSync(settingsFile(home), JSON.stringify({ ...settings, hooks }));
};
