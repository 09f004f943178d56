import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  gatherReport,
  REPORT_FORMATS,
  type Report,
  type ReportFormat,
  renderReport,
  type Workspace,
  writeReport,
} from '../../engine/index.ts';
import { isCheckpoint, pathFields, RetakeError } from '../../model/index.ts';
import { hint, oneLine, paint, print, printJson, writeBytes } from '../output.ts';
import { paged } from '../pager.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface ReportFlags extends GlobalOptions {
  readonly format: ReportFormat;
  readonly output?: string;
  readonly force?: boolean;
}

const REPORT: Guide = {
  examples: [
    ['retake report 3f2a', 'read it here'],
    ['retake report 3f2a --format html --output work.html', 'for a browser'],
  ],
  takes: { session: 'session', output: 'file' },
};

export const addReportVerb = (program: Command): void => {
  describeVerb(program, 'report', REPORT)
    .description('what an agent did in a session, turn by turn with its changes, as one document to read')
    .argument('<session>', 'its id, or the first characters of it')
    .addOption(new Option('--format <format>', 'of the document').choices(REPORT_FORMATS).default('markdown'))
    .option('--output <file>', 'write it there instead of printing it')
    .option('--force', 'with --output: replace a file that is there')
    .action(run<ReportFlags>(report));
};

const report = async (workspace: Workspace, flags: ReportFlags, [session = '']: readonly string[]): Promise<void> => {
  const { format, output, json, directory, force = false } = flags;
  if (output === undefined) {
    if (force) throw new RetakeError('usage', '--force goes with --output', { hint: 'Leave it away.' });
    const gathered = await withProgress('Gathering the session', () => gatherReport(workspace, session));
    if (json) return printJson(reportJson(gathered, null));
    return paged(flags, () => {
      for (const piece of renderReport(gathered, format)) writeBytes(piece);
    });
  }
  const file = resolve(directory, output);
  const written = await withProgress('Parts written', (onProgress) =>
    writeReport(workspace, { session, format, file, mayReplace: force, onProgress }),
  );
  if (json) printJson(reportJson(written, file));
  else {
    print(`${paint('green', 'Written')} ${oneLine(file)}`);
    hint('Prompts, commands and the words of the agent are told as they were: a secret that was typed there is in the report.');
  }
};

/** What the document tells, without the diffs. */
const reportJson = ({ session, counts, edits, files, turns, leftOut }: Report, output: string | null) => ({
  session: session.id,
  agent: session.agent,
  title: session.title,
  status: session.status,
  startedAt: session.startedAt,
  lastAt: session.lastAt,
  counts,
  edits,
  files: files.map(fileJson),
  turns: turns.map((turn) => ({
    number: turn.number,
    prompt: turn.prompt,
    at: turn.at,
    rolledBack: turn.rolledBack,
    remaining: turn.remaining,
    lastWords: turn.lastWords,
    happenings: turn.happenings.map(({ is, paths, entry: { operation, counts: changed } }) => ({
      is,
      id: operation.id,
      kind: operation.kind,
      tool: (isCheckpoint(operation) ? operation.event?.place.tool : undefined) ?? null,
      description: operation.description,
      files: changed,
      paths: paths.map(pathFields),
    })),
    files: turn.files.map(fileJson),
  })),
  leftOut,
  output,
});

const fileJson = ({ path, status, insertions, deletions, binary, shared }: Report['files'][number]) => ({
  ...pathFields(path),
  status,
  insertions,
  deletions,
  binary,
  shared,
});
