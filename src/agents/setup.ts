/**
 * Setting agents up: putting Retake's hooks into their settings and taking them out again. Apart from decoding, which the
 * daemon needs and this does not.
 */
import { didYouMean, nearest, RetakeError, suggesting } from '../model/index.ts';
import { inspectClaudeCode } from './claude-code/inspect.ts';
import { setUpClaudeCode } from './claude-code/setup.ts';

export type SetupScope = 'user' | 'project';

export interface SetupRequest {
  /** The root of the workspace; null for all that the user does. */
  readonly root: string | null;
  readonly remove: boolean;
  readonly isDryRun: boolean;
}

export interface SetupReport {
  readonly agent: string;
  readonly scope: SetupScope;
  readonly file: string;
  readonly changed: boolean;
  /** Events, by the agent's names for them. */
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** Where the file is kept as it was before the first change. */
  readonly backup: string | null;
  /** The file's text; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface InstalledHooks {
  readonly agent: string;
  /** Whether the file holds the hooks or turns on a plugin that does. */
  readonly by: 'settings' | 'plugin';
  /** `shared` is the project's file that is committed; setup never writes it. */
  readonly scope: SetupScope | 'shared';
  readonly file: string;
  readonly missingEvents: readonly string[];
  /** Files that the hooks start and that are gone. */
  readonly missingFiles: readonly string[];
  /** The settings file that turns all hooks off. */
  readonly disabledBy: string | null;
}

interface Agent {
  setUp(request: SetupRequest): SetupReport;
  inspect(root: string): readonly InstalledHooks[];
}

const AGENTS: ReadonlyMap<string, Agent> = new Map([['claude-code', { setUp: setUpClaudeCode, inspect: inspectClaudeCode }]]);

export const AGENT_NAMES: readonly string[] = [...AGENTS.keys()];

export const setUpAgent = (name: string, request: SetupRequest): SetupReport => {
  const agent = AGENTS.get(name);
  if (agent === undefined) {
    const near = nearest(name, AGENT_NAMES);
    throw new RetakeError('usage', `There is no agent ${JSON.stringify(name)} that could be set up${didYouMean(near)}`, {
      hint: `These can be: ${AGENT_NAMES.map((one) => `retake setup ${one}`).join(', ')}`,
      ...suggesting(near),
    });
  }
  return agent.setUp(request);
};

export const inspectAgents = (root: string): InstalledHooks[] => [...AGENTS.values()].flatMap((agent) => agent.inspect(root));
