import type { Command } from 'commander';
import { throughDaemon } from '../../daemon/ask-or-run.ts';
import {
  type CheckpointResult,
  checkpointRequest,
  createCheckpoint,
  deleteCheckpoint,
  setNote,
  setPinned,
  type Workspace,
} from '../../engine/index.ts';
import { createdJson } from '../../json/checkpoint.ts';
import { shownId } from '../ids.ts';
import { count, hint, paint, print, printJson, showPath } from '../output.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const CHECKPOINT: Guide = {
  examples: [
    ['retake checkpoint', 'remember this moment'],
    ['retake checkpoint --name before-refactor --note "all tests pass"', 'with a name to come back to'],
  ],
  takes: { name: 'text', note: 'text', session: 'session' },
};

const NOTE: Guide = {
  examples: [
    ['retake note @-1 "tests were green here"', 'to the newest'],
    ['retake note before-refactor ""', 'take it away again'],
  ],
  takes: { id: 'checkpoint', text: 'text' },
};

const PIN: Guide = {
  examples: [
    ['retake pin @-1', 'the newest is never given up'],
    ['retake pin before-refactor --remove', 'it may be given up again'],
  ],
  takes: { id: 'checkpoint' },
};

const DELETE: Guide = {
  examples: [
    ['retake delete before-refactor', 'by its name'],
    ['retake delete 4be1f02c99', 'by its id'],
  ],
  takes: { id: 'checkpoint' },
};

/** Verbs that add to the log and leave the workspace alone. */
export const addRecordingVerbs = (program: Command): void => {
  describeVerb(program, 'checkpoint', CHECKPOINT)
    .description('record the workspace as it is now')
    .option('--name <name>', 'a name to find it by')
    .option('--note <text>', 'a note for yourself')
    .option('--session <id>', 'the session it belongs to')
    .action(run(checkpoint));

  describeVerb(program, 'note', NOTE)
    .description('add or change the note of a checkpoint; an empty text removes it')
    .argument('<id>', 'id, name or @-1')
    .argument('<text>')
    .action(
      run(async (workspace, { json }, [id = '', text = '']) => {
        const target = await setNote(workspace, id, text);
        if (json) printJson({ id: target, note: text });
        else print(text === '' ? `Removed the note of ${shownId(target)}` : `Noted on ${shownId(target)}`);
      }),
    );

  describeVerb(program, 'pin', PIN)
    .description('keep a checkpoint until you delete it yourself')
    .argument('<id>', 'id, name or @-1')
    .option('--remove', 'let it be pruned again', false)
    .action(
      run<{ remove: boolean }>(async (workspace, { json, remove }, [id = '']) => {
        const target = await setPinned(workspace, id, !remove);
        if (json) printJson({ id: target, pinned: !remove });
        else print(`${remove ? 'No longer pinned:' : 'Pinned'} ${shownId(target)}`);
      }),
    );

  describeVerb(program, 'delete', DELETE)
    .description('take a checkpoint out of the log')
    .argument('<id>', 'id, name or @-1')
    .action(
      run(async (workspace, { json }, [id = '']) => {
        const target = await deleteCheckpoint(workspace, id);
        if (json) printJson({ id: target, deleted: true });
        else print(`Deleted ${shownId(target)}`);
      }),
    );
};

const SHOWN = 10;

interface CheckpointOptions {
  readonly name?: string;
  readonly note?: string;
  readonly session?: string;
}

const checkpoint = async (workspace: Workspace, { name, note, session, json }: CheckpointOptions & GlobalOptions): Promise<void> => {
  const request = checkpointRequest({ name, note, session });
  const result = await withProgress('Files looked at', (update) =>
    throughDaemon(workspace, {
      name: 'checkpoint',
      args: { request },
      onProgress: (progress) => 'files' in progress && update(progress.files),
      here: () => createCheckpoint(workspace, { ...request, onProgress: update }),
    }),
  );
  const { checkpoint, omissions, isNew } = result;
  if (json) return printJson({ ...createdJson(result), isNew });
  const id = paint('yellow', shownId(checkpoint.id));
  print(isNew ? `Checkpoint ${id}: ${whatOf(result)}` : `Nothing changed since checkpoint ${id}`);
  if (omissions.length > 0) hint(`Partial: ${count(omissions.length, 'path')} could not be captured`);
  for (const { path, reason } of omissions.slice(0, SHOWN)) hint(`  ${showPath(path)}: ${reason}`);
  if (omissions.length > SHOWN) hint(`  and ${omissions.length - SHOWN} more: retake show ${shownId(checkpoint.id)}`);
  hint(`What changes from here on: retake diff ${shownId(checkpoint.id)} · to come back: retake rewind ${shownId(checkpoint.id)}`);
};

/** The first one has nothing to differ from. */
const whatOf = ({ checkpoint, changed, files }: CheckpointResult): string => {
  if (changed === null) return `${count(files, 'file')}; the record before it is damaged: retake check`;
  return checkpoint.previous === null ? `${count(files, 'file')}, the first record` : `${count(changed, 'file')} changed`;
};
