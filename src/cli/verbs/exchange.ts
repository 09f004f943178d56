import type { Command } from 'commander';
import { checkedSession, type ExportResult, exportSession, type ImportResult, importSession, type Workspace } from '../../engine/index.ts';
import { pathFields, type RelativePath, RetakeError, shortId } from '../../model/index.ts';
import { version } from '../../model/version.ts';
import { count, hint, oneLine, paint, print, printJson, showPath } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

/** Verbs that take a session out of this workspace and into another. */
export const addExchangeVerbs = (program: Command, run: Run): void => {
  program
    .command('export')
    .description('write a session into one file: what was recorded, and what was said')
    .argument('[session]', 'its id, or the first characters of it; the current one unless given')
    .option('--output <file>', 'the file to write; SESSION.retake.tar in this directory unless given')
    .option('--force', 'replace a file that is there')
    .option('--no-conversation', 'without what was said')
    .action(run<ExportOptions>(exportVerb));

  program
    .command('import')
    .description('take a session from a file into this workspace; no file of yours changes')
    .argument('<file>')
    .option('--as <id>', 'call the session so, where there is one of its name already')
    .action(run<{ as?: string }>(importVerb));
};

interface ExportOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly conversation: boolean;
}

const exportVerb = async (workspace: Workspace, options: ExportOptions & GlobalOptions, [session]: readonly string[]): Promise<void> => {
  const { json, output, force, conversation, directory } = options;
  if (output === '') throw new RetakeError('usage', 'The name of a file can not be empty');
  const [reading, writing] = [new ProgressLine('Operations read'), new ProgressLine('Bytes written')];
  const result = await exportSession(workspace, {
    session,
    output,
    directory,
    force,
    withoutConversation: !conversation,
    madeBy: version,
    onProgress: reading.update,
    onBytes: (bytes) => writing.update(bytes),
  }).finally(() => {
    reading.end();
    writing.end();
  });
  if (json) {
    const { excluded, excludedOutside, ...rest } = result;
    return printJson({ ...rest, excluded: [...excluded.map(pathFields), ...excludedOutside.map((path) => ({ path }))] });
  }
  printExport(result);
};

const printExport = ({ session, file, bytes, operations, checkpoints, conversation, excluded, excludedOutside }: ExportResult): void => {
  print(`${paint('green', 'Exported')} session ${oneLine(session)} to ${oneLine(file)} (${count(bytes, 'byte')})`);
  print(`${count(operations, 'operation')}, ${count(checkpoints, 'checkpoint')}, ${told(conversation)}`);
  printLeftOut([...excluded, ...(excludedOutside as readonly RelativePath[])]);
  if (conversation !== null)
    hint('The conversation holds whatever the agent read, wrote and printed, secrets too if it saw any; --no-conversation leaves it out.');
  hint('Prompts, commands, names and notes are told as they were: a secret that was typed there is in the file.');
};

const told = (conversation: ExportResult['conversation']): string =>
  conversation === null ? 'no conversation' : count(conversation.messages, 'message');

const SHOWN = 20;

const printLeftOut = (paths: readonly RelativePath[]): void => {
  if (paths.length === 0) return;
  print(`Left out, as export.exclude in the settings says (${count(paths.length, 'path')}):`);
  for (const path of paths.slice(0, SHOWN)) print(`  ${showPath(path)}`);
  if (paths.length > SHOWN) print(`  and ${paths.length - SHOWN} more`);
};

const importVerb = async (
  workspace: Workspace,
  options: { as?: string } & GlobalOptions,
  [file = '']: readonly string[],
): Promise<void> => {
  const { json, as, directory } = options;
  if (as !== undefined) checkedSession(as);
  const line = new ProgressLine('Operations verified');
  const result = await importSession(workspace, { file, as, directory, onProgress: line.update }).finally(() => line.end());
  if (json) {
    const { excluded, isKnown, ...rest } = result;
    return printJson({ ...rest, excluded: excluded.paths, imported: !isKnown });
  }
  printImport(result);
};

const printImport = ({ session, operations, checkpoints, conversation, excluded, isKnown, newest }: ImportResult): void => {
  const what = `${count(operations, 'operation')}, ${count(checkpoints, 'checkpoint')}, ${told(conversation)}`;
  if (isKnown) print(`Session ${oneLine(session)} was imported before: nothing to do`);
  else print(`${paint('green', 'Imported')} session ${oneLine(session)}: ${what}`);
  if (excluded.paths.length > 0)
    print(`${count(excluded.paths.length, 'path')} were left out when it was exported, and stay as they are here`);
  hint(`retake log --session ${oneLine(session)}${newest === null ? '' : ` · retake rewind ${shortId(newest)} --dry-run`}`);
};
