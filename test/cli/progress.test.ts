import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ProgressLine, withProgress } from '../../src/cli/progress.ts';
import { BIN } from '../support/cli.ts';
import { dataOf, put, scene } from '../support/scene.ts';
import { runInTerminal } from '../support/terminal-run.ts';

/** A screen that remembers, and a clock that is moved by hand. */
const watched = (label: string, options: { columns?: number; isTTY?: boolean; inBytes?: boolean } = {}) => {
  const written: string[] = [];
  let now = 1_000_000;
  const { columns = 80, isTTY = true, inBytes = false } = options;
  const screen = { isTTY, columns, write: (text: string) => void written.push(text) };
  const line = new ProgressLine(label, { screen, clock: () => now, inBytes });
  onTestFinished(() => line.end());
  return {
    line,
    written,
    after: (milliseconds: number) => {
      now += milliseconds;
      return line;
    },
    get shown() {
      return stripVTControlCharacters(written.at(-1) ?? '').replace('\r', '');
    },
  };
};

test('[UI-1] short work has no line; long work a bar with its share and count, and after three seconds the time that is left', () => {
  const at = watched('Changes made');
  at.after(400).update(0, 10);
  expect(at.written).toEqual([]);
  at.after(200).update(5, 10);
  expect(at.shown).toBe(`Changes made: ${'█'.repeat(10)}${'░'.repeat(10)} 50%  5 of 10`);
  at.after(50).update(6, 10);
  expect(at.written).toHaveLength(1);
  at.after(3750).update(8, 10);
  expect(at.shown).toMatch(/ 80% {2}8 of 10, 1 s left$/);
  at.after(600_000).update(9, 10);
  expect(at.shown).toMatch(/, 2 min left$/);
  at.line.end();
  expect(at.written.at(-1)).toBe('\r\u001b[K');
});

test('[UI-1] work of which the end is not known counts, or tells how long it has been going on', () => {
  const counting = watched('Files looked at');
  counting.after(600).update(1234);
  expect(counting.shown).toBe('Files looked at: 1234');
  const bytes = watched('Written', { inBytes: true });
  bytes.after(600).update(2_500_000);
  expect(bytes.shown).toBe('Written: 2.5 MB');
  const waiting = watched('Making commits');
  waiting.after(4000).update();
  expect(waiting.shown).toBe('Making commits … 4 s');
});

test('[UI-1] the line fits the terminal, is drawn nowhere else, and leaves nothing behind where none was drawn', () => {
  const narrow = watched('Files looked at', { columns: 20 });
  narrow.after(600).update(1, 100);
  expect(narrow.shown).toHaveLength(19);
  expect(narrow.shown).toMatch(/…$/);
  const piped = watched('Files looked at', { isTTY: false });
  piped.after(600).update(1, 100);
  piped.line.end();
  const short = watched('Files looked at');
  short.line.end();
  expect([...piped.written, ...short.written]).toEqual([]);
});

test('[UI-1] what fails takes its line away too, and no longer listens to signals', async () => {
  const before = process.listenerCount('SIGINT');
  await expect(
    withProgress('x', () => {
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(process.listenerCount('SIGINT')).toBe(before);
});

test('[UI-1] Ctrl-C while it goes on: the line is cleared, and the process ends by the signal', async () => {
  const at = scene();
  put(at.workspace, 'file', '1');
  at.retake.json(at.workspace, 'checkpoint');
  // Somebody else is at work, so that there is something to wait for.
  const holder = spawn(process.execPath, [join(import.meta.dirname, '../health/lock-holder.ts'), join(dataOf(at), 'lock')]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  let isTyped = false;
  const { shown, code } = await runInTerminal(`'${BIN}' checkpoint --name x`, {
    directory: at.workspace,
    env: at.retake.env,
    onShown: (text) => {
      // Drawn twice, it has had the time to listen.
      if (isTyped || (text.match(/Files looked at … \d+ s/g)?.length ?? 0) < 2) return undefined;
      isTyped = true;
      return '\u0003';
    },
  });
  expect(shown).toContain('Waiting for another Retake process');
  // The terminal shows the key at once; the line may be drawn once more before the process hears of it.
  expect(JSON.stringify(shown)).toMatch(/\^C.*\\r\\u001b\[K(\\r\\n)?"$/);
  expect(code).toBe(130);
});
