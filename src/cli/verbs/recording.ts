import type { Command } from 'commander';
import { throughDaemon } from '../../daemon/through.ts';
import { createCheckpoint, deleteCheckpoint, setNote, setPinned, type Workspace } from '../../engine/index.ts';
import { pathFields, RetakeError, type SessionId, shortId, stateName } from '../../model/index.ts';
import { count, hint, oneLine, paint, print, printJson, showPath } from '../output.ts';
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
        checkText('note', text, 10_000);
        const { target, note } = await setNote(workspace, id, text);
        if (json) printJson({ id: target, note });
        else print(note === '' ? `Removed the note of ${shortId(target)}` : `Noted on ${shortId(target)}`);
      }),
    );

  program
    .command('pin')
    .description('keep a checkpoint until you delete it yourself')
    .argument('<id>', 'id, name or @-1')
    .option('--remove', 'let it be pruned again', false)
    .action(
      run<{ remove: boolean }>(async (workspace, { json, remove }, [id = '']) => {
        const { target, pinned } = await setPinned(workspace, id, !remove);
        if (json) printJson({ id: target, pinned });
        else print(`${pinned ? 'Pinned' : 'No longer pinned:'} ${shortId(target)}`);
      }),
    );

  program
    .command('delete')
    .description('take a checkpoint out of the log')
    .argument('<id>', 'id, name or @-1')
    .action(
      run(async (workspace, { json }, [id = '']) => {
        const { target } = await deleteCheckpoint(workspace, id);
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
  if (name !== undefined) checkName(name);
  if (note !== undefined) checkText('note', note, 10_000);
  if (session !== undefined) checkSession(session);
  const line = new ProgressLine('Files looked at');
  const request = { name, note, session: session as SessionId | undefined };
  const result = await throughDaemon(workspace, {
    name: 'checkpoint',
    args: { request },
    onProgress: (progress) => 'files' in progress && line.update(progress.files),
    here: () => createCheckpoint(workspace, { ...request, onProgress: line.update }),
  }).finally(() => line.end());
  const { checkpoint, omissions, changed, isNew } = result;
  if (json) {
    const tree = checkpoint.state === null ? null : stateName(checkpoint.state);
    const listed = omissions.map(({ path, reason }) => ({ ...pathFields(path), reason }));
    printJson({ id: checkpoint.id, tree, status: checkpoint.status, omissions: listed, changed });
    return;
  }
  const id = paint('yellow', shortId(checkpoint.id));
  print(isNew ? `Checkpoint ${id}: ${count(changed, 'file')} changed` : `Nothing changed since checkpoint ${id}`);
  if (omissions.length > 0) hint(`Partial: ${count(omissions.length, 'path')} could not be captured`);
  for (const { path, reason } of omissions.slice(0, 10)) hint(`  ${showPath(path)}: ${reason}`);
};

const checkName = (name: string): void => {
  if (name.trim() === '') throw new RetakeError('usage', 'A name can not be empty', { hint: 'Leave --name away, or give it a text.' });
  checkText('name', name, 200);
  if (name.includes('\n')) throw new RetakeError('usage', 'A name is one line', { hint: 'Longer texts go into --note.' });
  if (name.startsWith('@')) throw new RetakeError('usage', 'A name can not begin with @', { hint: '@ and @-1 stand for moments in time.' });
};

const checkText = (what: string, text: string, longest: number): void => {
  if (text.length > longest) throw new RetakeError('usage', `A ${what} has at most ${longest} characters`, { hint: 'Make it shorter.' });
};

export const checkSession = (session: string): void => {
  if (session.trim() === '' || session.length > 200 || oneLine(session) !== session) {
    throw new RetakeError('usage', 'A session id is a text of 1 to 200 characters in one line', { hint: 'retake log lists the sessions.' });
  }
};
