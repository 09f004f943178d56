import type { Command } from 'commander';
import { presentThrough } from '../../daemon/ask-or-run.ts';
import { type ChangedBy, type DiffBy, type DiffResult, diff, diffBy, type GroupOwner, type Workspace } from '../../engine/index.ts';
import { diffJson } from '../../json/diff.ts';
import { pathFields, RetakeError } from '../../model/index.ts';
import { fileTable } from '../file-table.ts';
import { count, hint, oneLine, paint, print, printJson, showPath, wholeTable, writeBytes } from '../output.ts';
import { paged } from '../pager.ts';
import { workspacePaths } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const DIFF: Guide = {
  examples: [
    ['retake diff @-1', 'what changed since the newest checkpoint'],
    ['retake diff t3 t4 --patch', 'what turn 3 did, line by line'],
    ['retake diff t1 --by person --path src', 'what you changed yourself in src since turn 1'],
    ['retake diff 4f2a91c @', 'what differs now from a commit of git, by its hash'],
  ],
  takes: { a: 'checkpoint', b: 'checkpoint', ...TURN_WORDS, path: 'file', by: 'changer' },
};

export const addDiffVerb = (program: Command): void => {
  turnFlags(
    describeVerb(program, 'diff', DIFF)
      .description('what differs between two checkpoints or commits, or one and the present')
      .argument('<a>', 'id, name, t3, @-1, or the hash of a commit')
      .argument('[b]', 'id, name, t3, the hash of a commit, @ for the present', '@'),
  )
    .option('--path <path...>', 'only these files or directories')
    .option('--by <who>', 'only what they changed: person, agent, turn, agent=ID, turn=3, step=ID')
    .option('--stat', 'files with their +/- lines (the default)')
    .option('--patch', 'the changes themselves')
    .action(run(showDiff));
};

interface DiffOptions extends TurnFlags {
  readonly path?: string[];
  readonly by?: string;
  readonly stat?: boolean;
  readonly patch?: boolean;
}

const showDiff = async (workspace: Workspace, options: DiffOptions & GlobalOptions, [from = '', to]: readonly string[]): Promise<void> => {
  const { session, branch, json, patch = false } = options;
  if (options.stat && patch) throw new RetakeError('usage', '--stat and --patch exclude each other', { hint: 'Give one of them.' });
  const by = options.by === undefined ? undefined : changedBy(options.by);
  const paths = options.path && workspacePaths(workspace, options.directory, options.path);
  const result = await withProgress('Files looked at', (update): Promise<DiffResult | DiffBy> => {
    const request = { from, to, paths, session, branch, present: () => presentThrough(workspace, update) };
    return by === undefined ? diff(workspace, request) : diffBy(workspace, by, request);
  });
  const groups = 'groups' in result ? result.groups : [];
  if (json) {
    const grouped = 'groups' in result ? { groups: groups.map(({ by, ...group }) => ({ by, ...resultJson(group, patch) })) } : {};
    return printJson({ ...resultJson(result, patch), ...grouped });
  }
  if (patch && result.directories.length > 0)
    hint(`A patch does not tell of folders: ${count(result.directories.length, 'folder')} with a difference, see --stat`);
  if (result.files.length + result.directories.length + groups.length === 0) return patch ? undefined : hint('No differences');
  await paged(options, () => {
    if (groups.length === 0) printResult(result, patch);
    for (const [at, { by, ...group }] of groups.entries()) {
      print(`${at === 0 ? '' : '\n'}${heading(by)}`);
      printResult(group, patch);
    }
  });
};

const resultJson = (result: DiffResult, withPatch: boolean) => ({
  ...diffJson(result.files),
  directories: result.directories.map(({ path, status }) => ({ ...pathFields(path), status })),
  ...(withPatch ? { patch: result.patch().toString('utf8') } : {}),
});

const printResult = ({ files, directories, patch }: DiffResult, withPatch: boolean): void => {
  if (withPatch) writeBytes(patch());
  else if (files.length > 0) print(fileTable(files));
  if (!withPatch && directories.length > 0) print(wholeTable(directories.map(({ path, status }) => [status, 'folder', showPath(path)])));
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
