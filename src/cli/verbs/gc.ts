import type { Command } from 'commander';
import { collectGarbage, type GcProgress, type GcReport } from '../../engine/index.ts';
import { bytes, count, hint, print, printJson } from '../output.ts';
import type { Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

/** The verb that keeps the store small. */
export const addGcVerb = (program: Command, run: Run): void => {
  program
    .command('gc')
    .description('pack the store and clear away what nothing has referred to for an hour')
    .option(
      '--now',
      'also what nothing has referred to for less: whoever looks at a preview, or at a checkpoint that was just deleted, may find it gone',
    )
    .action(
      run(async (workspace, { json, now }: { json?: boolean; now?: boolean }) => {
        if (!workspace.isProtected) return json ? printJson({ done: false }) : hint('Nothing is recorded here yet');
        const report = await withProgress((onProgress, signal) => collectGarbage(workspace, { onProgress, signal, now }));
        if (json) printJson({ done: true, ...report });
        else printReport(report);
      }),
    );
};

const LABELS: Readonly<Record<GcProgress['phase'], string>> = {
  reading: 'Objects needed',
  counting: 'Objects counted',
  comparing: 'Objects compared',
  writing: 'Objects written',
};

/** Ctrl-C ends the work, not the process: it has something to clear away first. */
const withProgress = async <T>(work: (onProgress: (progress: GcProgress) => void, signal: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let phase: GcProgress['phase'] | undefined;
  let line: ProgressLine | undefined;
  process.on('SIGINT', end);
  try {
    return await work((progress) => {
      if (progress.phase !== phase) {
        line?.end();
        line = new ProgressLine(LABELS[progress.phase]);
      }
      phase = progress.phase;
      line?.update(progress.done, progress.total);
    }, ending.signal);
  } finally {
    line?.end();
    process.off('SIGINT', end);
  }
};

const printReport = ({ before, after, packed, packsRemoved, objectsRemoved, straysRemoved, damaged, heldReleased }: GcReport): void => {
  print(`${packed === 0 ? 'The store was packed already' : `${count(packed, 'object')} packed`}`);
  print(`${count(before.files, 'file')}, ${bytes(before.bytes)} before; ${count(after.files, 'file')}, ${bytes(after.bytes)} now`);
  const removed = [
    [packsRemoved, 'pack'],
    [objectsRemoved, 'object that nothing needs', 'objects that nothing needs'],
    [straysRemoved, 'stray of a killed process', 'strays of killed processes'],
    [heldReleased, 'commit of your git that nothing needs', 'commits of your git that nothing needs'],
  ] as const;
  const words = removed.filter(([number]) => number > 0).map(([number, one, many = `${one}s`]) => `${number} ${number === 1 ? one : many}`);
  if (words.length > 0) print(`Removed: ${words.join(', ')}`);
  if (damaged > 0) {
    print(`${count(damaged, 'object')} can not be read: nothing was given up`);
    hint('`retake check` tells which checkpoints are affected.');
  }
};
