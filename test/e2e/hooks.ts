import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DIST } from '../daemon/support.ts';
import type { Scene } from '../support/scene.ts';

export const settingsFile = (home: string): string => join(home, '.claude/settings.json');

export interface HookProgram {
  readonly node: string;
  readonly script: string;
}

const SCRIPT = join(DIST, 'hook.cjs');

/** Makes the client that lives in this home run our hook, as users do; on request as if something had moved since. */
export const installHooks = ({ workspace, retake }: Scene, { node = '', script = SCRIPT }: Partial<HookProgram> = {}): void => {
  const { file, added } = retake.json(workspace, 'setup', 'claude-code');
  expect(added).toContain('PreToolUse');
  const text = readFileSync(file, 'utf8').replaceAll(SCRIPT, script);
  writeFileSync(file, node === '' ? text : text.replaceAll(/[^ "]*\/bin\/node (?=[^"]*claude-code)/g, `${node} `));
};
