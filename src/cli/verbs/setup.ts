import type { Command } from 'commander';
import { type SetupReport, setUpAgent } from '../../agents/setup.ts';
import { placeOfWorkspace, renderPatch } from '../../engine/index.ts';
import { fromText, type RelativePath, RetakeError, toText } from '../../model/index.ts';
import { count, hint, oneLine, paint, print, printJson, writeBytes } from '../output.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface SetupOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
}

const SETUP: Guide = {
  examples: [
    ['retake setup claude-code', 'for all your projects'],
    ['retake setup claude-code --project --dry-run', 'what that would change for this one alone'],
  ],
  takes: { agent: 'agent' },
};

/** Puts hooks into an agent's settings; nothing is recorded. */
export const addSetupVerb = (program: Command): void => {
  describeVerb(program, 'setup', SETUP)
    .description("put Retake's hooks into an agent's settings")
    .argument('<agent>', 'claude-code')
    .option('--user', 'for all your projects (the default)')
    .option('--project', 'for this workspace, on this machine')
    .option('--remove', 'take them out again')
    .option('--dry-run', 'show the change and make none')
    .action((agent: string, _options: unknown, command: Command) => setUp(agent, command.optsWithGlobals<SetupOptions>()));
};

const setUp = (agent: string, { user, project, remove = false, dryRun = false, directory, json }: SetupOptions): void => {
  if (user && project) throw new RetakeError('usage', '--user and --project exclude each other', { hint: 'Give one of them.' });
  const report = setUpAgent(agent, { root: project ? rootOf(directory) : null, remove, isDryRun: dryRun });
  const diff = dryRun ? diffOf(report) : undefined;
  if (json) {
    const { before: _before, after: _after, ...rest } = report;
    printJson({ ...rest, fileRemoved: report.changed && report.after === null, ...(diff === undefined ? {} : { diff }) });
  } else if (diff === undefined) printReport(report, remove);
  else if (diff === '') hint('Nothing would change; retake status tells which hooks there are');
  else writeBytes(diff);
};

const rootOf = (directory: string): string => {
  const { root } = placeOfWorkspace(directory);
  const text = toText(root);
  if (fromText(text) === root) return text;
  throw new RetakeError('usage', `The name of ${oneLine(text)} is not UTF-8`, {
    hint: 'Agents can only be set up in directories whose names are text.',
  });
};

/** A name from the root of the disk on: `patch -p1 -d /` would take it. */
const diffOf = ({ file, before, after, changed }: SetupReport): string => {
  if (!changed) return '';
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  const status = before === null ? 'added' : after === null ? 'deleted' : 'modified';
  return renderPatch({
    path: fromText(file.slice(1)) as unknown as RelativePath,
    status,
    before: bytes(before),
    after: bytes(after),
  }).toString();
};

const printReport = ({ file, changed, added, replaced, kept, removed, backup, after }: SetupReport, remove: boolean): void => {
  print(`Settings    ${oneLine(file)}${after === null && changed ? paint('dim', '  (removed: nothing else was in it)') : ''}`);
  if (added.length > 0) print(`Added       ${added.join(', ')}`);
  if (replaced.length > 0) print(`Replaced    ${replaced.join(', ')}`);
  if (removed.length > 0) print(`Removed     ${removed.join(', ')}`);
  if (backup !== null) print(`Before      ${oneLine(backup)}`);
  if (!changed) hint(remove ? 'There are no hooks of Retake in it' : `Nothing to do: ${count(kept.length, 'hook')} already there`);
  else
    hint(
      remove
        ? 'Sessions that run keep their hooks until they end.'
        : 'Restart sessions that run. To check it: retake status; after the next prompt: retake log',
    );
};
