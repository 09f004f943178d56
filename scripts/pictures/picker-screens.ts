import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoPlace, demoEnvironment } from '../demo/place.ts';
import { Refusal } from '../demo/program.ts';
import type { Shown } from './terminal-svg.ts';

const COLUMNS = 100;
const ROWS = 28;

/** Keys, and what is on the screen when they have been heard. */
const SCENES: readonly { readonly keys: readonly string[]; readonly until: string }[] = [
  { keys: ['Down', 'Right'], until: 'git clean -fd' },
  { keys: ['Tab'], until: 'PAYMENT_KEY' },
  { keys: ['Escape', 'Enter'], until: 'folders made' },
];

/** The picker as a person at a terminal sees it, one screen after the other. Needs tmux. */
export const showPicker = async (place: DemoPlace): Promise<Shown[]> => {
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-L', `retake-pictures-${process.pid}`, ...args], { env: demoEnvironment(place), encoding: 'utf8' });
  try {
    tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), place.command);
  } catch (error) {
    throw new Refusal(`The picker's picture needs tmux: ${error instanceof Error ? error.message : error}`);
  }
  const untilShown = async (text: string): Promise<Shown> => {
    for (let tries = 0; tries < 600; tries++) {
      const screen = tmux('capture-pane', '-e', '-p');
      if (screen.includes(text)) return { title: 'retake', text: screen, columns: COLUMNS };
      await sleep(100);
    }
    throw new Error(`the picker never showed ${JSON.stringify(text)}:\n${tmux('capture-pane', '-p')}`);
  };
  try {
    const screens = [await untilShown('Add VAT')];
    for (const { keys, until } of SCENES) {
      for (const key of keys) tmux('send-keys', key);
      screens.push(await untilShown(until));
    }
    return screens;
  } finally {
    tmux('kill-server');
  }
};
