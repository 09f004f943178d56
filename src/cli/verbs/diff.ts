import type { Command } from 'commander';
import { presentThrough } from '../../daemon/through.ts';
import { type ChangedBy, type DiffBy, type DiffResult, diff, diffBy, type GroupOwner, type Workspace } from '../../engine/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { diffJson } from '../../shapes/diff.ts';
import { fileTable } from '../file-table.ts';
import { hint, oneLine, paint, print, printable, printJson } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

export const addDiffVerb = (program: Command, run: Run): void => {
  program
    .command('diff')
    .description('what differs between two checkpoints, or one and the present')
    .argument('<a>', 'id, name, t3, @-1')
    .argument('[b]', 'id, name, t3, @ for the present', '@')
    .option('--session <id>', 'whose turns are meant')
    .option('--path <path...>', 'only these files or directories')
    .option('--by <who>', 'only what they changed: person, agent, turn, agent=ID, turn=3, step=ID')
    .option('--stat', 'files with their +/- lines (the default)')
    .option('--patch', 'the changes themselves')
    .action(run(showDiff));
};

interface DiffOptions {
  readonly session?: SessionId;
  readonly path?: string[];
  readonly by?: string;
  readonly stat?: boolean;
  readonly patch?: boolean;
}

const showDiff = async (workspace: Workspace, options: DiffOptions & GlobalOptions, [from = '', to]: readonly string[]): Promise<void> => {
  const { session, json, patch = false } = options;
  if (options.stat && patch) throw new RetakeError('usage', '--stat and --patch exclude each other', { hint: 'Give one of them.' });
  const by = options.by === undefined ? undefined : changedBy(options.by);
  const paths = options.path && workspacePaths(workspace, options.directory, options.path);
  const line = new ProgressLine('Files looked at');
  const request = { from, to, paths, session, present: () => presentThrough(workspace, line.update) };
  const asked: Promise<DiffResult | DiffBy> = by === undefined ? diff(workspace, request) : diffBy(workspace, by, request);
  const result = await asked.finally(() => line.end());
  const groups = 'groups' in result ? result.groups : [];
  if (json) {
    const grouped = 'groups' in result ? { groups: groups.map(({ by, ...group }) => ({ by, ...resultJson(group, patch) })) } : {};
    return printJson({ ...resultJson(result, patch), ...grouped });
  }
  if (result.files.length === 0 && groups.length === 0) return patch ? undefined : hint('No differences');
  if (groups.length === 0) return printResult(result, patch);
  for (const [at, { by, ...group }] of groups.entries()) {
    print(`${at === 0 ? '' : '\n'}${heading(by)}`);
    printResult(group, patch);
  }
};

const resultJson = (result: DiffResult, withPatch: boolean) => ({
  ...diffJson(result.files),
  ...(withPatch ? { patch: result.patch().toString('utf8') } : {}),
});

const printResult = (result: DiffResult, withPatch: boolean): void => {
  if (!withPatch) {
    print(fileTable(result.files));
    return;
  }
  const bytes = result.patch();
  process.stdout.write(process.stdout.isTTY ? printable(bytes.toString('utf8')) : bytes);
};

const heading = ({ agent, agentId, agentType, session, turn, prompt }: GroupOwner): string =>
  [
    ...(turn === null || turn === 0 ? [] : [paint('cyan', `t${turn}`)]),
    paint('bold', oneLine(agentId === null ? agent : `${agentType ?? 'subagent'} ${agentId}`)),
    ...(prompt === null ? [] : [`“${oneLine(prompt)}”`]),
    paint('dim', `session ${oneLine(session)}`),
  ].join('  ');

/** What `--by` says. */
const changedBy = (text: string): ChangedBy => {
  const [, who, name] = /^([a-z]+)(?:=(.+))?$/s.exec(text) ?? [];
  if (who === 'person' && name === undefined) return { who };
  if (who === 'agent') return { who, name };
  if (who === 'turn' && /^(t?\d{1,9})?$/.test(name ?? '')) return { who, name: name?.replace(/^t/, '') };
  if (who === 'step' && name !== undefined) return { who, name };
  throw new RetakeError('usage', `--by does not know ${JSON.stringify(text)}`, {
    hint: 'Give person, agent, turn, agent=ID, turn=3 or step=ID.',
  });
};
