import { stripVTControlCharacters, styleText } from 'node:util';
import { Command } from 'commander';
import { hasToHold, holdObjects, knownSession, Workspace } from '../engine/index.ts';
import { version } from '../model/version.ts';
import { adviceFor } from './advice.ts';
import { COMPLETE, offerWords } from './completion/offer.ts';
import { healedLines } from './healed.ts';
import { allVerbs, completeHelp, styleHelp } from './help.ts';
import { showIdsOf } from './ids.ts';
import { describeMisuse, Misuse } from './misuse.ts';
import { withVerb } from './no-verb.ts';
import { count, describeError, hint, oneLine, paint, printJson, writeText } from './output.ts';
import { paged } from './pager.ts';
import { addBlameVerb } from './verbs/blame.ts';
import { addCheckVerb } from './verbs/check.ts';
import { addCompletionVerb } from './verbs/completion.ts';
import { addConversationVerbs } from './verbs/conversation.ts';
import { addDaemonVerbs } from './verbs/daemon.ts';
import { addDiffVerb } from './verbs/diff.ts';
import { addExchangeVerbs } from './verbs/exchange.ts';
import { addForkVerbs } from './verbs/forks.ts';
import { addGcVerb } from './verbs/gc.ts';
import { addHealthVerb } from './verbs/health.ts';
import { addKeepVerbs } from './verbs/keep.ts';
import { addReadingVerbs } from './verbs/reading.ts';
import { addRebuildVerb } from './verbs/rebuild.ts';
import { addRecordingVerbs } from './verbs/recording.ts';
import { addRecoveryVerbs } from './verbs/recovery.ts';
import { addReflogVerbs } from './verbs/reflog.ts';
import { addRepairVerb } from './verbs/repair.ts';
import { addReportVerb } from './verbs/report.ts';
import { addRollbackVerbs } from './verbs/rollback.ts';
import { addServeVerb } from './verbs/serve.ts';
import { addSettingsVerb } from './verbs/settings.ts';
import { addSetupVerb } from './verbs/setup.ts';
import { addShowVerb } from './verbs/show.ts';

export interface GlobalOptions {
  readonly directory: string;
  readonly json: boolean;
  /** Long answers may be shown a screen at a time. */
  readonly pager: boolean;
}

/** What every verb gets: the workspace, opened and closed around it. */
export type Run = <Options extends object>(
  work: (workspace: Workspace, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

/** Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export const runProgram = async (args: readonly string[]): Promise<number> => {
  const help: string[] = [];
  const program = buildProgram((text) => void help.push(text));
  if (args[0] === COMPLETE) return offerWords(program, args.slice(1));
  const flags = { json: isGiven(args, '--json'), pager: !isGiven(args, '--no-pager') };
  // What is wrong is told by the document alone, without the help beside it.
  if (flags.json) for (const command of [program, ...allVerbs(program)]) command.configureOutput({ writeErr: () => {} });
  let running: Command = program;
  program.hook('preAction', (_, command) => {
    running = command;
  });
  let code = 0;
  let isVersion = false;
  try {
    await program.parseAsync([...withVerb(args)], { from: 'user' });
  } catch (error) {
    isVersion = error instanceof Misuse && error.reason.code === 'commander.version';
    code = report(error, running, flags.json);
  }
  if (help.length === 0) return code;
  if (flags.json) printJson(isVersion ? { version } : { help: stripVTControlCharacters(help.join('')) });
  else await paged(flags, () => writeText(help.join('')));
  return code;
};

/** Whether a flag of the program is on the line; behind `--` nothing is a flag. */
const isGiven = (args: readonly string[], flag: string): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes(flag);
};

/** The program with all its verbs; `onHelp` is told what its help says. */
export const buildProgram = (onHelp: (text: string) => void): Command => {
  const program = new Command('retake')
    .description('Takes back what an AI agent did to your code: previewed, exact, and undoable.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError(false)
    .option('-C, --directory <dir>', 'work in this directory', '.')
    .option('--json', 'print one JSON document', false)
    .option('--no-pager', 'print long answers at once')
    .configureOutput({ writeOut: onHelp, outputError: () => {} });
  styleHelp(program);
  const runWith =
    (asIs: boolean): Run =>
    (work) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals();
      const workspace = await open(options.directory, asIs);
      if (!asIs) showIdsOf(workspace);
      try {
        await work(workspace, withSession(workspace, command, options) as never, command.args);
        if (!asIs) await holdWhatIsLeft(workspace);
      } finally {
        workspace.close();
      }
    };
  const run = runWith(false);
  addRecordingVerbs(program, run);
  addReadingVerbs(program, run);
  addShowVerb(program, run);
  addDiffVerb(program, run);
  addBlameVerb(program, run);
  addRollbackVerbs(program, run);
  addRecoveryVerbs(program, run);
  addConversationVerbs(program, run);
  addReportVerb(program, run);
  addForkVerbs(program, run);
  addReflogVerbs(program, run);
  addHealthVerb(program, run);
  addKeepVerbs(program, run);
  addCheckVerb(program, runWith(true));
  addRepairVerb(program, runWith(true));
  addRebuildVerb(program, run);
  addGcVerb(program, run);
  addExchangeVerbs(program, run);
  addDaemonVerbs(program);
  addServeVerb(program);
  addSetupVerb(program);
  addSettingsVerb(program);
  addCompletionVerb(program);
  completeHelp(program);
  for (const command of [program, ...allVerbs(program)]) {
    command.exitOverride((reason) => {
      throw new Misuse(command, reason);
    });
  }
  return program;
};

/** Verbs that find out themselves which session is meant: it may be a new one, or one that only a commit names. */
const FINDING = new Set(['checkpoint', 'reflog']);

/** Options with the whole id of the session that is meant, of which people may give the first characters. */
const withSession = (workspace: Workspace, command: Command, options: { readonly session?: string }): object =>
  options.session === undefined || FINDING.has(command.name())
    ? options
    : { ...options, session: knownSession(workspace, options.session) };

/** Where no daemon will do it. The work is done and told: what fails here is tried again next time. */
const holdWhatIsLeft = async (workspace: Workspace): Promise<void> => {
  if (workspace.settings['daemon.enabled'] || !hasToHold(workspace)) return;
  try {
    await holdObjects(workspace);
  } catch (error) {
    hint(`Objects of git could not be kept for later: ${oneLine(describeError(error).message)}`);
  }
};

const open = (directory: string, asIs: boolean): Promise<Workspace> =>
  Workspace.open({
    directory,
    asIs,
    onWait: () => hint('Waiting for another Retake process on this workspace …'),
    onHealed: (healed) => healedLines(healed).forEach(hint),
  });

const report = (error: unknown, command: Command, json: boolean): number => {
  if (error instanceof Misuse && !error.isFault) return 0;
  const described = error instanceof Misuse ? describeMisuse(error) : describeError(error);
  const isUsage = described.code === 'usage';
  const advice = described.hint ?? adviceFor(described.code, command);
  if (json) printJson({ error: { ...described, ...(advice === undefined ? {} : { hint: advice }) } });
  else {
    process.stderr.write(`${styleText('red', 'retake:', { stream: process.stderr })} ${oneLine(described.message)}\n`);
    if (advice !== undefined) hint(oneLine(advice));
    if (described.code === 'unexpected' && process.env.RETAKE_DEBUG) console.error(error);
  }
  return isUsage ? 2 : 1;
};

/** Files and lines; nothing is claimed where damage keeps us from counting. */
export const describeCounts = (counts: { changed: number; insertions: number; deletions: number } | null): string =>
  counts === null
    ? paint('red', 'damaged')
    : `${count(counts.changed, 'file')} ${paint('green', `+${counts.insertions}`)} ${paint('red', `-${counts.deletions}`)}`;
