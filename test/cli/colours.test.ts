import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';
import { scene } from '../support/scene.ts';
import { runInTerminal } from '../support/terminal-run.ts';

test('[UI-1] errors have colours where they are seen themselves, wherever the answer goes', async () => {
  const at = scene();
  const refused = async (redirection: string): Promise<string> =>
    (await runInTerminal(`'${BIN}' show nothing ${redirection}`, { directory: at.workspace, env: at.retake.env })).shown;
  expect(await refused('> /dev/null')).toContain('\u001b[31mretake:');
  expect(await refused('2> "$HOME/told"')).toBe('');
  expect(readFileSync(join(at.retake.env.HOME ?? '', 'told'), 'utf8')).toMatch(/^retake: /);
});
