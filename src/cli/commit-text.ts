import { readDifference, type Subject, type Workspace } from '../engine/index.ts';
import { diffJson } from '../json/diff.ts';
import { gitCommitJson } from '../json/git-commit.ts';
import { toText } from '../model/index.ts';
import { fileTable } from './file-table.ts';
import { count, hint, oneLine, paint, print, printable, printJson, relativeTime, wholeTable, writeBytes } from './output.ts';
import { paged } from './pager.ts';
import type { GlobalOptions } from './verb.ts';

type GitCommit = Extract<Subject, { commit: unknown }>['commit'];

/** Prints a commit of the user's git, with what it changed against its first parent. */
export const showCommit = async (
  workspace: Workspace,
  flags: GlobalOptions & { readonly patch?: boolean },
  commit: GitCommit,
): Promise<void> => {
  await readDifference(workspace, { of: 'step', step: commit.id }, {}, async (difference) => {
    const { leftOut } = difference;
    const files = difference.changes.map((change) => difference.file(change));
    const patches: Buffer[] = [];
    if (flags.patch) for await (const patch of difference.patches()) patches.push(patch);
    const patch = flags.patch ? { patch: Buffer.concat(patches).toString('utf8') } : {};
    if (flags.json) return printJson({ ...gitCommitJson(commit), ...diffJson(files), leftOut: leftOut.map(toText), ...patch });
    const at = new Date(commit.at * 1000).toISOString();
    const rows: [string, string][] = [
      ['commit', commit.id],
      ['author', oneLine(commit.author)],
      ['time', `${at} (${relativeTime(at)})`],
      ['message', printable(commit.message.trimEnd())],
    ];
    if (commit.parents.length > 1) rows.push(['merge', `of ${commit.parents.length} parents; compared with the first`]);
    if (commit.isOnlyHeld) rows.push(['kept by', 'Retake alone: your repository does not have it any more']);
    await paged(flags, () => {
      print(wholeTable(rows.map(([key, value]) => [paint('dim', key), value])));
      if (flags.patch) for (const part of patches) writeBytes(part);
      else if (files.length > 0) print(fileTable(files, '  '));
    });
    if (leftOut.length > 0) hint(`${count(leftOut.length, 'path')} left out: submodules, and what lies outside of the workspace`);
    hint(`To bring its change into the files: retake recover ${commit.id.slice(0, 10)}`);
  });
};
