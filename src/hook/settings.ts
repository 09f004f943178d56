import { readFileSync } from 'node:fs';
import { dataDirectory } from '../host/environment.ts';

export interface HookSettings {
  readonly deadline: number;
  readonly usesDaemon: boolean;
}

/**
 * The two settings that a hook needs, read without the rest. A wrong one counts as unset: whoever runs a command is told,
 * an agent is not to be bothered.
 */
export const readHookSettings = (): HookSettings => {
  const file = readSettingsFile();
  const deadline = Number(process.env.RETAKE_HOOK_DEADLINE_MS ?? file['hook.deadlineMs']);
  return {
    deadline: deadline >= 1 ? Math.min(deadline, 600_000) : 2000,
    usesDaemon: String(process.env.RETAKE_DAEMON_ENABLED ?? file['daemon.enabled']) !== 'false',
  };
};

const readSettingsFile = (): Record<string, unknown> => {
  try {
    return JSON.parse(readFileSync(`${dataDirectory()}/settings.json`, 'utf8')) ?? {};
  } catch {
    return {};
  }
};
