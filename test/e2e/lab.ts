import { daemonScene } from '../daemon/support.ts';
import type { Scene } from '../support/scene.ts';
import { type Client, clientIn } from './client.ts';
import { type HookProgram, installHooks } from './hooks.ts';
import { type Model, startModel } from './model-server.ts';
import type { Script } from './script.ts';

/** A workspace, Retake, the real client with our hooks, and a model that follows a script. */
export interface Lab extends Scene {
  readonly model: Model;
  readonly client: Client;
}

export interface LabOptions {
  /** Ours unless told otherwise. */
  readonly hooks?: Partial<HookProgram> | 'none';
  readonly env?: Record<string, string>;
}

/** On a busy machine an event that comes too late would be recorded with what came after it. */
const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '50000' };

/** The script is made for the workspace, because tools want absolute paths. */
export const lab = async (script: (workspace: string) => Script, { hooks = {}, env = {} }: LabOptions = {}): Promise<Lab> => {
  const at = daemonScene({ ...PATIENT, ...env });
  const model = await startModel(script(at.workspace));
  const client = clientIn({ workspace: at.workspace, model: model.url, env: at.retake.env });
  if (hooks !== 'none') installHooks(at, hooks);
  return { ...at, model, client };
};
