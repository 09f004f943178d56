import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoPlace, demoEnvironment, demoPlace, removePlace } from '../demo/place.ts';
import { playStory } from '../demo/story.ts';
import { picturePage } from './page-picture.ts';
import { showPicker } from './picker-screens.ts';
import { recordingSvg, type Shown, terminalSvg } from './terminal-svg.ts';

/** `npm run pictures`: what Retake shows of the demo, for its documentation. */
const PICTURES = join(import.meta.dirname, '../../docs/pictures');

const COLUMNS = 118;

/** A command and what it really prints, in colours. */
const shown = (place: DemoPlace, ...args: string[]): Shown => {
  const env = { ...demoEnvironment(place), FORCE_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(place.command, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`retake ${args.join(' ')} ended with ${status}: ${stderr}`);
  const command = `\u001b[2m$\u001b[22m \u001b[1mretake ${args.join(' ')}\u001b[22m`;
  return { title: 'shop', text: `${command}\n${stdout}`, columns: COLUMNS };
};

const draw = async (place: DemoPlace): Promise<string[]> => {
  const session = await playStory(place);
  const forks = shown(place, 'forks');
  const rewind = shown(place, 'rewind', 't3', '--dry-run');
  const log = shown(place, 'log');
  const pictures = {
    'log.svg': terminalSvg(log),
    'rewind.svg': terminalSvg(rewind),
    'forks.svg': terminalSvg(forks),
    'terminal.svg': recordingSvg('retake log, rewind and forks', [log, rewind, forks], 6),
    'picker.svg': recordingSvg('the picker: turns, the difference, what goes back', await showPicker(place), 5),
    'session-light.png': await picturePage(place, session, 'light'),
    'session-dark.png': await picturePage(place, session, 'dark'),
  };
  for (const [name, content] of Object.entries(pictures)) writeFileSync(join(PICTURES, name), content);
  return Object.keys(pictures);
};

// The page shows this path.
const base = realpathSync(mkdtempSync(join(tmpdir(), 'demo-')));
const place = demoPlace(join(base, 'tea'));
try {
  mkdirSync(PICTURES, { recursive: true });
  for (const name of await draw(place)) console.log(`docs/pictures/${name}  ${Math.ceil(statSync(join(PICTURES, name)).size / 1000)} kB`);
} finally {
  removePlace(place);
  rmSync(base, { recursive: true, force: true });
}
