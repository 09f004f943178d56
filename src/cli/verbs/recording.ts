import type { Command } from 'commander';
import { throughDaemon } from '../../daemon/through.ts';
import { checkpointRequest, createCheckpoint, deleteCheckpoint, setNote, setPinned, type Workspace } from '../../engine/index.ts';
import { shortId } from '../../model/index.ts';
import { createdJson } from '../../shapes/checkpoint.ts';
import { count, hint, paint, print, printJson, showPath } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

/** Verbs that add to the log and leave the workspace alone. */
export const addRecordingVerbs = (program: Command, run: Run): void => {
  program
    .command('checkpoint')
    .description('record the workspace as it is now')
    .option('--name <name>', 'a name to find it by')
    .option('--note <text>', 'a note for yourself')
    .option('--session <id>', 'the session it belongs to')
    .action(run(checkpoint));

  program
    .command('note')
    .description('add or change the note of a checkpoint; an empty text removes it')
    .argument('<id>', 'id, name or @-1')
    .argument('<text>')
    .action(
      run(async (workspace, { json }, [id = '', text = '']) => {
        const target = await setNote(workspace, id, text);
        if (json) printJson({ id: target, note: text });
        else print(text === '' ? `Removed the note of ${shortId(target)}` : `Noted on ${shortId(target)}`);
      }),
    );

  program
    .command('pin')
    .description('keep a checkpoint until you delete it yourself')
    .argument('<id>', 'id, name or @-1')
    .option('--remove', 'let it be pruned again', false)
    .action(
      run<{ remove: boolean }>(async (workspace, { json, remove }, [id = '']) => {
        const target = await setPinned(workspace, id, !remove);
        if (json) printJson({ id: target, pinned: !remove });
        else print(`${remove ? 'No longer pinned:' : 'Pinned'} ${shortId(target)}`);
      }),
    );

  program
    .command('delete')
    .description('take a checkpoint out of the log')
    .argument('<id>', 'id, name or @-1')
    .action(
      run(async (workspace, { json }, [id = '']) => {
        const target = await deleteCheckpoint(workspace, id);
        if (json) printJson({ id: target, deleted: true });
        else print(`Deleted ${shortId(target)}`);
      }),
    );
};

interface CheckpointOptions {
  readonly name?: string;
  readonly note?: string;
  readonly session?: string;
}

const checkpoint = async (workspace: Workspace, { name, note, session, json }: CheckpointOptions & GlobalOptions): Promise<void> => {
  const request = checkpointRequest({ name, note, session });
  const line = new ProgressLine('Files looked at');
  const result = await throughDaemon(workspace, {
    name: 'checkpoint',
    args: { request },
    onProgress: (progress) => 'files' in progress && line.update(progress.files),
    here: () => createCheckpoint(workspace, { ...request, onProgress: line.update }),
  }).finally(() => line.end());
  const { checkpoint, omissions, changed, isNew } = result;
  if (json) return printJson(createdJson(result));
  const id = paint('yellow', shortId(checkpoint.id));
  print(isNew ? `Checkpoint ${id}: ${count(changed, 'file')} changed` : `Nothing changed since checkpoint ${id}`);
  if (omissions.length > 0) hint(`Partial: ${count(omissions.length, 'path')} could not be captured`);
  for (const { path, reason } of omissions.slice(0, 10)) hint(`  ${showPath(path)}: ${reason}`);
};
