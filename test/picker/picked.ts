import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { PlayedSession } from '../conversation/played-session.ts';
import { daemonScene } from '../daemon/support.ts';
import { BIN } from '../support/cli.ts';
import { put, type Scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { openTerminal, type Terminal } from '../support/terminal.ts';

const PATIENT = { RETAKE_HOOK_DEADLINE_MS: '60000' };

/** Three turns, each of which writes its number to a file and makes another one. */
export const threeTurns = async (env: Record<string, string> = {}): Promise<Scene & { readonly session: PlayedSession }> => {
  const at = daemonScene({ ...PATIENT, ...env });
  const session = new PlayedSession(at);
  await session.start();
  for (const turn of [1, 2, 3]) {
    await session.prompt(`do the work ${turn}`);
    await session.step('Write', { file_path: join(at.workspace, 'file') }, () => put(at.workspace, 'file', `line of ${turn}\n`));
    await session.step('Bash', { command: `touch made-${turn}` }, () => put(at.workspace, `made-${turn}`, 'made\n'));
    await session.answer(`did ${turn}`);
  }
  return { ...at, session };
};

export const text = ({ workspace }: Scene, path: string): string | undefined =>
  existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : undefined;

export interface Shell {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** What the shell says when it waits for a command. */
const READY = 'ready>';
export const BACK_IN_SHELL = new RegExp(`${READY}$`);

/** A shell in a terminal, in which `retake` is the program. */
export const shellIn = async ({ workspace, retake }: Scene, { columns = 80, rows = 24, env = {} }: Shell = {}): Promise<Terminal> => {
  const profile = put(temporaryDirectory(), 'profile', `PS1='${READY} '\n`);
  const terminal = await openTerminal(['sh', '-i'], {
    directory: workspace,
    env: { ...retake.env, ENV: profile, PATH: `${dirname(BIN)}${delimiter}${retake.env.PATH}`, ...env },
    columns,
    rows,
  });
  await terminal.shows(BACK_IN_SHELL);
  return terminal;
};

/** The picker, opened by somebody in a shell. */
export const openPicker = async (at: Scene, shell: Shell = {}, command = 'retake'): Promise<Terminal> => {
  const terminal = await shellIn(at, shell);
  await terminal.type(command);
  await terminal.shows('newest first');
  return terminal;
};

/** Moves until a row is chosen that has this in it. */
export const chooseRow = async (terminal: Terminal, part: string, key = 'Down'): Promise<void> => {
  // What else a row tells may come later: that it is another one is told by its place.
  const chosen = (): [number, string] => {
    const lines = terminal.screen().split('\n');
    const at = lines.findIndex((line) => line.includes('❯'));
    return [at, lines[at] ?? ''];
  };
  await terminal.until(() => chosen()[0] >= 0, 'nothing is chosen');
  while (!chosen()[1].includes(part)) {
    const [before] = chosen();
    terminal.press(key);
    await terminal.until(() => ![-1, before].includes(chosen()[0]), `no row with "${part}"`);
  }
};

/** Opens the menu of a row. */
export const openMenu = async (terminal: Terminal, part: string, key = 'Down'): Promise<void> => {
  await chooseRow(terminal, part, key);
  terminal.press('Enter');
  await terminal.shows(/What goes back\?[\s\S]*❯ Code/);
};
