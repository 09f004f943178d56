import { type Command, Option } from 'commander';
import { type ForkRequest, forkConversation, readSessions, type SessionSummary, type Workspace } from '../../engine/index.ts';
import { RetakeError, type SessionId } from '../../model/index.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import type { GlobalOptions, Run } from '../program.ts';
import { printResume } from '../resume.ts';

/** Verbs about agents' conversations. */
export const addConversationVerbs = (program: Command, run: Run): void => {
  program.command('sessions').description("agents' conversations in this workspace, newest first").action(run(listSessions));

  program
    .command('fork')
    .description('make a session that goes on from a checkpoint; the present one and the code stay as they are')
    .argument('<id>', 'id, name, t3 or @-1')
    .option('--name <name>', 'what the fork is called')
    .option('--session <id>', 'whose turns are meant')
    .action(
      run<{ name?: string; session?: string }>((workspace, { json, name, session }, [id = '']) =>
        fork(workspace, json, id, { name, session: session as SessionId | undefined }),
      ),
    );

  program
    .command('summarize')
    .description('make a session in which one part of the conversation is replaced by a summary')
    .argument('<id>', 'id, name, t3 or @-1')
    .addOption(new Option('--from', 'everything from there on').conflicts('upto'))
    .addOption(new Option('--upto', 'everything up to there'))
    .option('--session <id>', 'whose turns are meant')
    .action(
      run<{ from?: boolean; upto?: boolean; session?: string }>((workspace, { json, from, upto, session }, [id = '']) => {
        if (!from && !upto) throw new RetakeError('usage', 'Which part?', { hint: 'retake summarize ID --from, or --upto' });
        return fork(workspace, json, id, { summary: from ? 'from' : 'upto', session: session as SessionId | undefined });
      }),
    );
};

const fork = async (workspace: Workspace, json: boolean, id: string, request: ForkRequest): Promise<void> => {
  const { fork, session, resume, prompt } = await forkConversation(workspace, id, request);
  if (json) return printJson({ id: fork.id, sessionId: session, resume, prompt });
  print(`${paint('green', 'Done')}: session ${session}`);
  printResume(resume, prompt);
};

const STATES: Readonly<Record<SessionSummary['state'], string>> = { open: 'open', ended: 'ended', unrecorded: 'before Retake' };

const listSessions = async (workspace: Workspace, { json }: GlobalOptions): Promise<void> => {
  const sessions = readSessions(workspace);
  if (json) return printJson({ sessions });
  if (sessions.length === 0) return hint('No agent has worked here yet, as far as Retake knows: retake setup claude-code');
  print(
    table(
      sessions.map(({ id, agent, title, state, isCurrent, turns, steps, lastAt }) => [
        paint('yellow', oneLine(id)),
        paint('dim', lastAt === null ? '' : relativeTime(lastAt)),
        agent,
        isCurrent ? paint('cyan', 'current') : STATES[state],
        `${count(turns, 'turn')}, ${count(steps, 'step')}`,
        oneLine(title).slice(0, 80),
      ]),
    ),
  );
};
