import type { Command } from 'commander';
import { checkedSession, type ExportResult, exportSession, type ImportResult, importSession, type Workspace } from '../../engine/index.ts';
import { pathFields, type RelativePath, RetakeError } from '../../model/index.ts';
import { version } from '../../model/version.ts';
import { shownId } from '../ids.ts';
import { bytes as amount, count, hint, oneLine, paint, print, printJson, showPath } from '../output.ts';
import { ProgressLine, withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const EXPORT: Guide = {
  examples: [
    ['retake export', 'the current session, into this directory'],
    ['retake export 3f2a --output bug.retake.tar --no-conversation', 'another one, without what was said'],
  ],
  takes: { session: 'session', output: 'file' },
};

const IMPORT: Guide = {
  examples: [
    ['retake import bug.retake.tar', 'take it in; no file of yours changes'],
    ['retake import bug.retake.tar --as from-alice', 'under another name'],
  ],
  takes: { file: 'file', as: 'text' },
};

/** Verbs that take a session out of this workspace and into another. */
export const addExchangeVerbs = (program: Command): void => {
  describeVerb(program, 'export', EXPORT)
    .description('write a session into one file: what was recorded, and what was said')
    .argument('[session]', 'its id, or the first characters of it; the current one unless given')
    .option('--output <file>', 'the file to write; SESSION.retake.tar in this directory unless given')
    .option('--force', 'replace a file that is there')
    .option('--no-conversation', 'without what was said')
    .action(run<ExportOptions>(exportVerb));

  describeVerb(program, 'import', IMPORT)
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
  if (output === '') throw new RetakeError('usage', 'The name of a file can not be empty', { hint: 'retake export --output FILE' });
  const [reading, writing] = [new ProgressLine('Operations read'), new ProgressLine('Written', { inBytes: true })];
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

const printExport = (result: ExportResult): void => {
  const { session, file, bytes, operations, checkpoints, conversation, noConversation, excluded, excludedOutside } = result;
  print(`${paint('green', 'Exported')} session ${oneLine(session)} to ${oneLine(file)} (${amount(bytes)})`);
  print(`${count(operations, 'operation')}, ${count(checkpoints, 'checkpoint')}, ${told(conversation)}`);
  if (noConversation !== null) print(paint('yellow', oneLine(noConversation)));
  printLeftOut([...excluded, ...(excludedOutside as readonly RelativePath[])]);
  if (conversation !== null)
    hint('The conversation holds whatever the agent read, wrote and printed, secrets too if it saw any; --no-conversation leaves it out.');
  hint('Prompts, commands, names and notes are told as they were: a secret that was typed there is in the file.');
  hint(`Elsewhere: retake import ${oneLine(file)}`);
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
  const result = await withProgress('Operations verified', (onProgress) => importSession(workspace, { file, as, directory, onProgress }));
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
  hint(`retake log --session ${oneLine(session)}${newest === null ? '' : ` · retake rewind ${shownId(newest)} --dry-run`}`);
};
