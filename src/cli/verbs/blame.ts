import type { Command } from 'commander';
import { type BlamedLine, blame, type ToldDoer, type Workspace, type Writer } from '../../engine/index.ts';
import { isUtf8, pathFields, type RelativePath, type SessionId, shortId, toBytes, toText } from '../../model/index.ts';
import { count, hint, oneLine, paint, print, printable, printJson, relativeTime, table } from '../output.ts';
import { workspacePaths } from '../paths.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { ProgressLine } from '../progress.ts';

export const addBlameVerb = (program: Command, run: Run): void => {
  program
    .command('blame')
    .description('who wrote each line of a file: which step of which agent, or you')
    .argument('<file>')
    .option('--at <id>', 'as it was at a checkpoint: id, name, t3, @-1')
    .option('--session <id>', 'whose turns are meant')
    .action(run<BlameOptions>(showBlame));
};

interface BlameOptions {
  readonly at?: string;
  readonly session?: SessionId;
}

const showBlame = async (
  workspace: Workspace,
  { at, session, json, directory }: BlameOptions & GlobalOptions,
  [file = '']: readonly string[],
): Promise<void> => {
  const [path] = workspacePaths(workspace, directory, [file]) as [RelativePath];
  const progress = new ProgressLine('Files looked at');
  const lines = await blame(workspace, path, { at, session, onProgress: progress.update }).finally(() => progress.end());
  if (json) return printJson({ ...pathFields(path), lines: lines.map(lineJson) });
  if (lines.length === 0) return hint('The file is empty');
  print(table(lines.map((line, at) => row(line, at, lines[at - 1]))));
  const turns = legend(lines);
  if (turns.length > 0) print(`\n${table(turns)}`);
};

const lineJson = ({ text, writer: { by, steps, record } }: BlamedLine, at: number) => ({
  line: at + 1,
  text: toText(text),
  ...(isUtf8(text) ? {} : { textBase64: toBytes(text).toString('base64') }),
  by,
  steps,
  record: record?.id ?? null,
  createdAt: record?.createdAt ?? null,
});

const row = ({ text, writer }: BlamedLine, at: number, above: BlamedLine | undefined): string[] => [
  ...(writer === above?.writer ? ['', '', '', ''] : words(writer)),
  paint('dim', `${at + 1}`),
  printable(toText(text).replace(/\r$/, '')),
];

const words = ({ by, steps, record }: Writer): string[] => {
  const [step] = steps;
  const time = record === null ? 'not recorded' : relativeTime(step?.createdAt ?? record.createdAt);
  if (step !== undefined) {
    const turn = step.turn === 0 ? '' : paint('cyan', `t${step.turn}`);
    const who = steps.length > 1 ? count(steps.length, 'step') : `${brief(step.description)}${subagent(step)}`;
    return [paint('yellow', shortId(step.id)), turn, who, paint('dim', time)];
  }
  if (by === 'person') return ['', '', paint('green', 'you'), paint('dim', time)];
  if (by === 'unknown') return ['', '', paint('dim', 'not known'), paint('dim', `by ${time}`)];
  if (by === 'before' || record === null) return ['', '', paint('dim', 'before Retake'), ''];
  return [paint('yellow', shortId(record.id)), '', record.kind, paint('dim', time)];
};

const BRIEF = 28;

const brief = (text: string): string => {
  const line = oneLine(text);
  return line.length > BRIEF ? `${line.slice(0, BRIEF - 1)}…` : line;
};

const subagent = ({ agentId, agentType }: ToldDoer): string => (agentId === null ? '' : ` by ${oneLine(agentType ?? 'subagent')}`);

/** Once for each step, what the narrow columns have no room for. */
const legend = (lines: readonly BlamedLine[]): string[][] => {
  const steps = new Map(lines.flatMap(({ writer }) => writer.steps.map((step) => [step.id, step] as const)));
  return [...steps.values()].map(({ id, turn, description, prompt, agent, agentId, agentType, session }) => [
    paint('yellow', shortId(id)),
    turn === 0 ? '' : paint('cyan', `t${turn}`),
    oneLine(agentId === null ? agent : `${agentType ?? 'subagent'} ${agentId}`),
    paint('dim', oneLine(session)),
    `${oneLine(description)}${prompt === null ? '' : `  “${oneLine(prompt)}”`}`,
  ]);
};
