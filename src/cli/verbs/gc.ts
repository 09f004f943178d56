import type { Command } from 'commander';
import { type GcProgress, type GcReport, maintain, PRUNE_REASONS, type PrunePlan, planPrune, reasonsOf } from '../../engine/index.ts';
import { shownId } from '../ids.ts';
import { bytes, count, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { ProgressLine, withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type Guide } from '../verb.ts';

const GC: Guide = {
  examples: [
    ['retake gc --dry-run', 'what would be given up, and what that frees'],
    ['retake gc', 'do it'],
  ],
};

/** The verb that keeps the store small. */
export const addGcVerb = (program: Command): void => {
  describeVerb(program, 'gc', GC)
    .description('give up what is older or more than the settings say (retention.…), pack the store, and clear away what nothing needs')
    .option('--dry-run', 'tell what would be given up, and what that frees; changes nothing')
    .option(
      '--now',
      'also what nothing has referred to for less: whoever looks at a preview, or at a checkpoint that was just deleted, may find it gone',
    )
    .action(
      run(async (workspace, { json, now, dryRun }: { json?: boolean; now?: boolean; dryRun?: boolean }) => {
        if (!workspace.isProtected) return json ? printJson({ done: false }) : hint('Nothing is recorded here yet: retake checkpoint');
        if (dryRun) {
          const plan = await withProgress('Objects weighed', (onProgress) => planPrune(workspace, { weighs: true, onProgress }));
          return json ? printJson({ done: false, ...planJson(plan) }) : printPlan(plan);
        }
        const { check, pruned, gc } = await inPhases((onProgress, signal) => maintain(workspace, { onProgress, signal, now }));
        if (json) return printJson({ done: true, damage: check.damage.length, pruned: pruned.map(doomedJson), ...gc });
        if (check.damage.length > 0) hint('The store is damaged, so that nothing was given up; retake repair mends what can be mended');
        if (pruned.length > 0) print(`${count(pruned.length, 'record')} given up: ${reasonsOf(pruned)}`);
        printReport(gc);
      }),
    );
};

type Doomed = PrunePlan['goes'][number];

const doomedJson = ({ operation: { id, kind, session, createdAt, description }, retentionClass, why }: Doomed) => ({
  id,
  kind,
  session,
  createdAt,
  description,
  worth: retentionClass,
  why,
});

const planJson = ({ goes, stays, frees, usage, allowance }: PrunePlan) => ({ goes: goes.map(doomedJson), stays, frees, usage, allowance });

const SHOWN = 50;

const printPlan = ({ goes, stays, frees, usage, allowance }: PrunePlan): void => {
  print(`${bytes(usage.bytes)} of ${bytes(allowance)} are used`);
  if (goes.length === 0) {
    print(`Nothing would be given up: ${count(stays, 'record')} stay`);
    return;
  }
  const rows = goes.map(({ operation: { id, kind, createdAt, description }, why }) => [
    paint('yellow', shownId(id)),
    paint('dim', relativeTime(createdAt)),
    kind,
    paint('red', PRUNE_REASONS[why]),
    oneLine(description),
  ]);
  print(table(rows.slice(0, SHOWN)));
  if (rows.length > SHOWN) print(`and ${rows.length - SHOWN} more; --json lists them all`);
  print(`${count(goes.length, 'record')} would be given up (${reasonsOf(goes)}), which frees ${bytes(frees ?? 0)}; ${stays} stay`);
};

const LABELS: Readonly<Record<GcProgress['phase'], string>> = {
  reading: 'Objects needed',
  counting: 'Objects counted',
  comparing: 'Objects compared',
  writing: 'Objects written',
};

/** Ctrl-C ends the work, not the process: it has something to clear away first. */
const inPhases = async <T>(work: (onProgress: (progress: GcProgress) => void, signal: AbortSignal) => Promise<T>): Promise<T> => {
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
