import { Command, CommanderError } from 'commander';
import { hasToHold, holdObjects, Workspace } from '../engine/index.ts';
import { RetakeError, shortId } from '../model/index.ts';
import { version } from '../model/version.ts';
import { count, describeError, hint, oneLine, paint, printJson } from './output.ts';
import { addBlameVerb } from './verbs/blame.ts';
import { addCheckVerb } from './verbs/check.ts';
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
}

/** What every verb gets: the workspace, opened and closed around it. */
export type Run = <Options extends object>(
  work: (workspace: Workspace, options: Options & GlobalOptions, args: readonly string[]) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

/** Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export const runProgram = async (args: readonly string[]): Promise<number> => {
  const program = buildProgram();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, args.includes('--json'));
  }
};

const buildProgram = (): Command => {
  const program = new Command('retake')
    .description('Takes back what an AI agent did to your code: previewed, exact, and undoable.')
    .version(version)
    .option('-C, --directory <dir>', 'work in this directory', '.')
    .option('--json', 'print one JSON document', false)
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  const runWith =
    (asIs: boolean): Run =>
    (work) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals();
      const workspace = await open(options.directory, asIs);
      try {
        await work(workspace, options as never, command.args);
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
  for (const verb of program.commands) verb.exitOverride().configureOutput({ outputError: () => {} });
  return program;
};

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
    onHealed: (healed) => {
      if ('unreadableJournal' in healed) {
        hint(`A rollback was cut short and its journal can not be read; it is now ${healed.unreadableJournal}`);
        hint('Compare the workspace with the safety checkpoint made before it: retake log, retake diff ID');
        return;
      }
      if ('keptCommits' in healed) {
        hint(`Keeping a session's work was cut short: ${count(healed.keptCommits, 'commit')} made, the rest is as it was`);
        return;
      }
      const { rollback } = healed;
      const what = { complete: 'finished', 'taken-back': 'taken back', incomplete: 'finished in part' }[rollback.outcome];
      hint(`A rollback that was cut short was ${what}: ${oneLine(rollback.description)} (${shortId(rollback.id)})`);
      for (const { path, reason } of rollback.leftAlone) hint(`  ${oneLine(path)}: ${oneLine(reason)}`);
    },
  });

const report = (error: unknown, json: boolean): number => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const isUsage = error instanceof CommanderError || (error instanceof RetakeError && error.code === 'usage');
  const described = error instanceof CommanderError ? usageError(error) : describeError(error);
  if (json) printJson({ error: described });
  else {
    process.stderr.write(`${paint('red', 'retake:')} ${oneLine(described.message)}\n`);
    if (described.hint !== undefined) hint(oneLine(described.hint));
    if (described.code === 'unexpected' && process.env.RETAKE_DEBUG) console.error(error);
  }
  return isUsage ? 2 : 1;
};

const usageError = (error: CommanderError) => ({
  code: 'usage',
  message: error.message.replace(/^error: /, '').replaceAll('\n', ' '),
  hint: 'retake --help tells how it is used.',
});

/** Files and lines; nothing is claimed where damage keeps us from counting. */
export const describeCounts = (counts: { changed: number; insertions: number; deletions: number } | null): string =>
  counts === null
    ? paint('red', 'damaged')
    : `${count(counts.changed, 'file')} ${paint('green', `+${counts.insertions}`)} ${paint('red', `-${counts.deletions}`)}`;
