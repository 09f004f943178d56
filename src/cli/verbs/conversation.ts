import { type Command, Option } from 'commander';
import {
  type ForkRequest,
  forkConversation,
  NO_AGENT_YET,
  readSessions,
  reportSession,
  type SessionSummary,
  type Workspace,
} from '../../engine/index.ts';
import { forkMadeJson } from '../../json/forks.ts';
import { RetakeError } from '../../model/index.ts';
import { forkLines } from '../fork-text.ts';
import { count, describeCounts, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { withProgress } from '../progress.ts';
import { run } from '../run.ts';
import { TURN_WORDS, type TurnFlags, turnFlags } from '../turn-flags.ts';
import { describeVerb, type Guide } from '../verb.ts';

const SESSIONS: Guide = {
  examples: [
    ['retake sessions', 'all of them, newest first'],
    ['retake sessions 3f2a', 'one, by the first characters of its id, with what can be done about its work'],
  ],
  takes: { session: 'session' },
};

const FORK: Guide = {
  examples: [
    ['retake fork t3', 'go on from before turn 3 in a session of its own'],
    ['retake fork @-1 --name "other idea"', 'from the newest checkpoint, with a name'],
  ],
  takes: { id: 'checkpoint', name: 'text', ...TURN_WORDS },
};

const SUMMARIZE: Guide = {
  examples: [
    ['retake summarize t5 --upto', 'what led to turn 5 becomes a summary'],
    ['retake summarize t5 --from', 'what came from turn 5 on becomes one'],
  ],
  takes: { id: 'checkpoint', ...TURN_WORDS },
};

/** Verbs about agents' conversations. */
export const addConversationVerbs = (program: Command): void => {
  describeVerb(program, 'sessions', SESSIONS)
    .description("agents' conversations in this workspace, newest first; or one, with what can be done about its work")
    .argument('[session]', 'its id, or the first characters of it')
    .action(
      run((workspace, { json }, [session]) =>
        session === undefined ? listSessions(workspace, json) : showSession(workspace, json, session),
      ),
    );

  turnFlags(
    describeVerb(program, 'fork', FORK)
      .description('make a session that goes on from a checkpoint; the present one and the code stay as they are')
      .argument('<id>', 'id, name, t3 or @-1')
      .option('--name <name>', 'what the fork is called'),
  ).action(
    run<TurnFlags & { name?: string }>((workspace, { json, name, session, branch }, [id = '']) =>
      fork(workspace, json, id, { name, session, branch }),
    ),
  );

  turnFlags(
    describeVerb(program, 'summarize', SUMMARIZE)
      .description('make a session in which one part of the conversation is replaced by a summary')
      .argument('<id>', 'id, name, t3 or @-1')
      .addOption(new Option('--from', 'everything from there on').conflicts('upto'))
      .addOption(new Option('--upto', 'everything up to there')),
  ).action(
    run<TurnFlags & { from?: boolean; upto?: boolean }>((workspace, { json, from, upto, session, branch }, [id = '']) => {
      if (!from && !upto) throw new RetakeError('usage', 'Which part?', { hint: 'retake summarize ID --from, or --upto' });
      return fork(workspace, json, id, { summary: from ? 'from' : 'upto', session, branch });
    }),
  );
};

const fork = async (workspace: Workspace, json: boolean, id: string, request: ForkRequest): Promise<void> => {
  const label = request.summary === undefined ? 'Writing the session' : 'Summing up';
  const made = await withProgress(label, () => forkConversation(workspace, id, request));
  if (json) return printJson(forkMadeJson(made));
  for (const line of forkLines(made)) print(line);
};

const STATES: Readonly<Record<SessionSummary['state'], string>> = { open: 'open', ended: 'ended', unrecorded: 'no code' };

const stateOf = ({ state, isImported }: SessionSummary): string => (isImported ? 'imported' : STATES[state]);

const STATUS: Readonly<Record<SessionSummary['status'], string>> = {
  active: '',
  kept: 'kept',
  'rolled-back': 'rolled back',
  'partially-recovered': 'partially recovered',
};

const describeWork = ({ steps, kept, rolledBack, recovered }: SessionSummary['work']): string => {
  const parts = [
    [kept, 'kept'],
    [rolledBack, 'rolled back'],
    [recovered, 'recovered'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return `${count(steps, 'step')}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
};

/** What a session came to, and what can be done about it now: keep it, discard it, or decide later. */
const showSession = async (workspace: Workspace, json: boolean, address: string): Promise<void> => {
  const { session, onBranch, tools, agents, ...counts } = await reportSession(workspace, address);
  const { id, work, status } = session;
  const isOpen = !session.isImported && work.steps > work.kept + work.rolledBack;
  const choices = isOpen
    ? { keep: `retake keep --session ${id}`, discard: `retake discard --session ${id}`, later: `retake sessions ${id}` }
    : null;
  if (json) return printJson({ ...session, onBranch, ...counts, tools, agents, choices });
  print(`${paint('yellow', oneLine(id))}  ${session.agent}  ${stateOf(session)}  ${STATUS[status]}`.trimEnd());
  print(paint('bold', oneLine(session.title)));
  print(`${count(session.turns, 'turn')}, ${describeWork(work)}, ${describeCounts({ changed: counts.files, ...counts })} in its edits`);
  if (onBranch.turns !== session.turns || onBranch.steps !== session.steps)
    print(
      paint('dim', `On its branch, with what came from other sessions: ${count(onBranch.turns, 'turn')}, ${count(onBranch.steps, 'step')}`),
    );
  if (choices === null) return;
  const rows = [
    ['keep', choices.keep, 'put it on the git branch, as commits'],
    ['discard', choices.discard, 'take it back, and keep what you changed yourself'],
    ['later', choices.later, 'nothing happens until you decide'],
  ];
  print(`\n${table(rows.map(([choice = '', command = '', meaning = '']) => [choice, oneLine(command), paint('dim', meaning)]))}`);
};

const listSessions = async (workspace: Workspace, json: boolean): Promise<void> => {
  const sessions = readSessions(workspace);
  if (json) return printJson({ sessions });
  if (sessions.length === 0) return hint(NO_AGENT_YET);
  print(
    table(
      sessions.map((session) => {
        const { id, agent, title, status, isCurrent, turns, steps, lastAt } = session;
        return [
          paint('yellow', oneLine(id)),
          paint('dim', lastAt === null ? '' : relativeTime(lastAt)),
          agent,
          isCurrent ? paint('cyan', 'current') : stateOf(session),
          STATUS[status],
          `${count(turns, 'turn')}, ${count(steps, 'step')}`,
          oneLine(title),
        ];
      }),
    ),
  );
};
