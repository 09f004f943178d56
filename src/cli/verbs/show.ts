import type { Command } from 'commander';
import {
  messagesAround,
  type OwnedFile,
  readOmissions,
  readOwnedFiles,
  resolveSubject,
  type Workspace,
  withDetails,
} from '../../engine/index.ts';
import { contentJson } from '../../json/checkpoint.ts';
import { operationJson } from '../../json/operation.ts';
import { isCheckpoint, isRollback, type Message, RetakeError } from '../../model/index.ts';
import { describeChanges } from '../changes-text.ts';
import { showCommit } from '../commit-text.ts';
import { fileTable } from '../file-table.ts';
import { describeGit } from '../git.ts';
import { shownId } from '../ids.ts';
import { hint, oneLine, paint, print, printable, printJson, relativeTime, showPath, wholeTable } from '../output.ts';
import { describeOwners } from '../owners.ts';
import { paged } from '../pager.ts';
import { describeStepStatus } from '../replays.ts';
import { run } from '../run.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';
import { wholeNumber } from '../whole-number.ts';

const SHOW: Guide = {
  examples: [
    ['retake show @-1', 'the newest checkpoint, with the files it changed'],
    ['retake show t3 --messages 10', 'with the ten messages before it'],
    ['retake show 4f2a91c --patch', 'a commit of git, by its hash, line by line'],
  ],
  takes: { id: 'checkpoint', ...TURN_WORDS, messages: 'text' },
};

export const addShowVerb = (program: Command): void => {
  turnFlags(
    describeVerb(program, 'show', SHOW)
      .description('one operation, or one commit, in full')
      .argument('<id>', 'id, name, t3, @-1, or the hash of a commit'),
  )
    .option('--messages [n]', 'with the last messages of the conversation before it (30)', wholeNumber)
    .option('--patch', 'of a commit: the changes themselves')
    .action(run<ShowOptions>(show));
};

interface ShowOptions extends GlobalOptions, TurnFlags {
  readonly messages?: number | true;
  readonly patch?: boolean;
}

const show = async (workspace: Workspace, flags: ShowOptions, [id = '']: readonly string[]): Promise<void> => {
  const { json, session, branch, messages } = flags;
  const subject = await resolveSubject(workspace, id, { session, branch });
  if ('commit' in subject) return showCommit(workspace, flags, subject.commit);
  if (flags.patch)
    throw new RetakeError('usage', '--patch is for commits', { hint: `retake diff ${id} --patch shows what differs since then.` });
  const [entry] = withDetails(workspace, [subject.entry]);
  if (entry === undefined) return;
  const { operation } = entry;
  const omissions = readOmissions(workspace, operation);
  const changes = readOwnedFiles(workspace, operation);
  const context =
    messages === undefined ? undefined : messagesAround(workspace, operation.id, messages === true ? {} : { before: messages });
  if (json) {
    const { state: _, ...rest } = operation;
    return printJson({
      ...rest,
      ...operationJson(entry),
      ...contentJson(operation, changes, omissions),
      ...(context === undefined ? {} : { messages: context.before }),
    });
  }
  const rows: [string, string][] = [
    ['id', operation.id],
    ['kind', operation.kind],
    ['time', `${operation.createdAt} (${relativeTime(operation.createdAt)})`],
    ['session', oneLine(operation.session)],
    ['description', oneLine(operation.description)],
  ];
  if (entry.name !== null) rows.push(['name', oneLine(entry.name)]);
  if (entry.note !== null) rows.push(['note', printable(entry.note)]);
  if (entry.pinned) rows.push(['pinned', 'yes']);
  if (operation.state !== null) {
    const whose = describeOwners(operation, entry.by, entry.owners);
    rows.push(['changed', [describeChanges(entry), ...whose].join('  ')]);
  }
  if (isCheckpoint(operation)) {
    rows.push(['status', operation.status]);
    if (entry.stepStatus !== null) rows.push(['state', describeStepStatus(entry.stepStatus)]);
    for (const line of describeGit(operation, entry.gitNews)) rows.push(['git', line]);
  }
  if (isRollback(operation)) rows.push(['outcome', operation.outcome], ['target', operation.target], ['before it', operation.safety]);
  await paged(flags, () => {
    // Notes and descriptions are told in full, however wide.
    print(wholeTable(rows.map(([key, value]) => [paint('dim', key), value])));
    if (changes.length > 0) print(fileTable(changes.slice(0, SHOWN), '  ', (file) => [ownerOf(file)]));
    if (changes.length > SHOWN) print(`  and ${changes.length - SHOWN} more; --json lists them all`);
    for (const { path, reason } of omissions) print(`  not captured: ${showPath(path)} (${reason})`);
    for (const message of context?.before ?? []) printMessage(message);
  });
  if (operation.state !== null && isCheckpoint(operation)) {
    const id = shownId(operation.id);
    hint(`What differs now: retake diff ${id} · to go back there: retake rewind ${id}`);
  } else if (isRollback(operation)) hint(`To take it back: retake undo ${shownId(operation.id)}`);
};

const SHOWN = 100;

const ownerOf = ({ by, owners = [] }: OwnedFile): string => {
  if (by === 'person') return paint('green', 'yours');
  return paint(
    'dim',
    owners.map(({ description, agentId }) => oneLine(agentId === null ? description : `${description} by ${agentId}`)).join(', '),
  );
};

const LONGEST_TEXT = 2000;

const printMessage = ({ role, kind, text, calls, at }: Message): void => {
  print(`\n${paint('bold', kind === 'prompt' ? 'You' : role)}${at === null ? '' : paint('dim', `  ${relativeTime(at)}`)}`);
  if (text !== '') print(printable(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text));
  for (const { name, input, result } of calls) {
    const outcome = result === null ? 'no result' : result.isError ? paint('red', 'failed') : 'done';
    print(`  ${paint('cyan', oneLine(name))} ${oneLine(JSON.stringify(input) ?? '').slice(0, 120)} ${paint('dim', outcome)}`);
  }
};
