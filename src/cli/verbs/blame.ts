import type { Command } from 'commander';
import { type BlamedLine, blame, type DescribedActor, type Workspace, type Writer } from '../../engine/index.ts';
import { isUtf8, pathFields, type RelativePath, toBytes, toText } from '../../model/index.ts';
import { shownId } from '../ids.ts';
import { count, hint, oneLine, paint, print, printable, printJson, relativeTime, table } from '../output.ts';
import { paged } from '../pager.ts';
import { workspacePaths } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const BLAME: Guide = {
  examples: [
    ['retake blame src/cart.ts', 'each line with the step that wrote it'],
    ['retake blame src/cart.ts --at t3', 'as it was before turn 3'],
  ],
  takes: { file: 'file', at: 'checkpoint', ...TURN_WORDS },
};

export const addBlameVerb = (program: Command): void => {
  turnFlags(
    describeVerb(program, 'blame', BLAME)
      .description('who wrote each line of a file: which step of which agent, or you')
      .argument('<file>')
      .option('--at <id>', 'as it was at a checkpoint: id, name, t3, @-1'),
  ).action(run<BlameOptions>(showBlame));
};

interface BlameOptions extends TurnFlags {
  readonly at?: string;
}

const showBlame = async (workspace: Workspace, options: BlameOptions & GlobalOptions, [file = '']: readonly string[]): Promise<void> => {
  const { at, session, branch, json, directory } = options;
  const [path] = workspacePaths(workspace, directory, [file]) as [RelativePath];
  const lines = await withProgress('Files looked at', (onProgress) => blame(workspace, path, { at, session, branch, onProgress }));
  if (json) return printJson({ ...pathFields(path), lines: lines.map(lineJson) });
  if (lines.length === 0) return hint('The file is empty');
  const turns = legend(lines);
  await paged(options, () => {
    // What the step was called gives way before the lines themselves do.
    print(
      table(
        lines.map((line, at) => row(line, at, lines[at - 1])),
        [2],
      ),
    );
    if (turns.length > 0) print(`\n${table(turns)}`);
  });
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
    const turn = step.turn === null || step.turn === 0 ? '' : paint('cyan', `t${step.turn}`);
    const who = steps.length > 1 ? count(steps.length, 'step') : `${brief(step.description)}${subagent(step)}`;
    return [paint('yellow', shownId(step.id)), turn, who, paint('dim', time)];
  }
  if (by === 'person') return ['', '', paint('green', 'you'), paint('dim', time)];
  if (by === 'unknown') return ['', '', paint('dim', 'not known'), paint('dim', `by ${time}`)];
  if (by === 'before' || record === null) return ['', '', paint('dim', 'before Retake'), ''];
  return [paint('yellow', shownId(record.id)), '', record.kind, paint('dim', time)];
};

const BRIEF = 28;

const brief = (text: string): string => {
  const line = oneLine(text);
  return line.length > BRIEF ? `${line.slice(0, BRIEF - 1)}…` : line;
};

const subagent = ({ agentId, agentType }: DescribedActor): string => (agentId === null ? '' : ` by ${oneLine(agentType ?? 'subagent')}`);

/** Once for each step, what the narrow columns have no room for. */
const legend = (lines: readonly BlamedLine[]): string[][] => {
  const steps = new Map(lines.flatMap(({ writer }) => writer.steps.map((step) => [step.id, step] as const)));
  return [...steps.values()].map(({ id, turn, description, prompt, agent, agentId, agentType, session }) => [
    paint('yellow', shownId(id)),
    turn === 0 ? '' : paint('cyan', `t${turn}`),
    oneLine(agentId === null ? agent : `${agentType ?? 'subagent'} ${agentId}`),
    paint('dim', oneLine(session)),
    `${oneLine(description)}${prompt === null ? '' : `  “${oneLine(prompt)}”`}`,
  ]);
};
