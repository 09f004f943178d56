import type { Command } from 'commander';
import { bringDown, bringUp, daemonStatus } from '../../daemon/control.ts';
import { logFile } from '../../daemon/place.ts';
import type { DaemonStatus, WatchedWorkspace } from '../../daemon/protocol.ts';
import { spooledFiles } from '../../daemon/spool.ts';
import { readTrouble } from '../../daemon/trouble.ts';
import { didYouMean, nearest, RetakeError, suggesting } from '../../model/index.ts';
import { count, hint, oneLine, paint, print, printJson, relativeTime, table } from '../output.ts';
import { withProgress } from '../progress.ts';
import { printTrouble } from '../trouble.ts';
import { addVerb, describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const DAEMON: Guide = {
  examples: [
    ['retake daemon status', 'what it watches and what it needs'],
    ['retake daemon stop', 'let it finish and end it'],
  ],
};

const START: Guide = {
  examples: [
    ['retake daemon start', 'start it'],
    ['retake daemon start --json', 'the same, with its process id for a program'],
  ],
};

const STOP: Guide = {
  examples: [
    ['retake daemon stop', 'end it; the next hook starts another'],
    ['retake daemon stop --json', 'the same, for a program'],
  ],
};

const STATUS: Guide = {
  examples: [
    ['retake daemon status', 'workspaces, memory, and what could not be recorded'],
    ['retake daemon status --json', 'the same, for a program'],
  ],
};

/** Verbs about the background process; they concern no workspace. */
export const addDaemonVerbs = (program: Command): void => {
  const daemon = describeVerb(program, 'daemon', DAEMON)
    .description('the background process that keeps workspaces ready')
    .argument('[verb]')
    .action((verb: string | undefined) => {
      const near = verb === undefined ? [] : nearest(verb, ['start', 'stop', 'status']);
      throw new RetakeError('usage', `daemon: expected start, stop or status${didYouMean(near)}`, {
        hint: 'retake daemon status tells whether it runs.',
        ...suggesting(near),
      });
    });
  addVerb(daemon, 'start', 'start it, unless it runs', START).description('start it, unless it runs').action(acting(start));
  addVerb(daemon, 'stop', 'let it finish and end it', STOP).description('let it finish its work and end it').action(acting(stop));
  addVerb(daemon, 'status', 'what it does and what it needs', STATUS).description('what it does and what it needs').action(acting(status));
};

const acting = (work: (json: boolean) => Promise<void>) => (_options: unknown, command: Command) =>
  work(command.optsWithGlobals<GlobalOptions>().json);

const start = async (json: boolean): Promise<void> => {
  const { pid, wasRunning } = await withProgress('Starting the background process', () => bringUp());
  if (json) printJson({ pid, wasRunning });
  else print(`The background process ${wasRunning ? 'runs already' : 'was started'} (pid ${pid})`);
};

const stop = async (json: boolean): Promise<void> => {
  const stopped = await withProgress('Waiting for the background process', () => bringDown());
  if (json) printJson({ stopped: stopped !== undefined, pid: stopped?.pid ?? null });
  else if (stopped === undefined) hint('The background process does not run; to start it: retake daemon start');
  else print(`The background process was stopped (pid ${stopped.pid})`);
};

const status = async (json: boolean): Promise<void> => {
  const running = await daemonStatus();
  const trouble = readTrouble();
  if (json) {
    const notRunning = { pid: null, startedAt: null, memory: null, spooled: spooledFiles().length, url: null, workspaces: [] };
    return printJson({ running: running !== undefined, ...(running ?? notRunning), trouble, log: logFile() });
  }
  if (running === undefined) {
    hint('The background process does not run; the next hook starts it, or: retake daemon start');
    print(`Spooled     ${count(spooledFiles().length, 'event')}`);
  } else printRunning(running);
  printTrouble(trouble);
};

const printRunning = ({ pid, startedAt, memory, spooled, url, workspaces }: DaemonStatus): void => {
  print(`Running     pid ${pid}, started ${relativeTime(startedAt)}`);
  print(`Memory      ${Math.round(memory / 1e6)} MB`);
  print(`Spooled     ${count(spooled, 'event')}`);
  if (url !== null) print(`Serving     ${url}`);
  print(`Log         ${oneLine(logFile())}`);
  if (workspaces.length > 0) print(`\n${table(workspaces.map(workspaceRow))}`);
};

const workspaceRow = ({ root, tier, watches, problem, lastAudit }: WatchedWorkspace): string[] => [
  oneLine(root),
  tier,
  count(watches, 'watch').replace(/hs$/, 'hes'),
  lastAudit === null ? 'not audited' : `audited ${relativeTime(lastAudit.at)}, ${count(lastAudit.differences, 'difference')}`,
  problem === null ? '' : paint('red', oneLine(problem)),
];
