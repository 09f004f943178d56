export interface ModuleRule {
  /** The modules it imports. Of one named with a file, that file alone. */
  readonly imports: readonly string[];
  readonly why: string;
  /** Whether it runs without Node: in a browser, or as functions of values. */
  readonly isPure?: boolean;
}

/** What the other side of the socket uses; the rest of `daemon` runs in its own process. */
const DAEMON_CLIENT = ['address', 'ask-or-run', 'calls', 'client', 'control', 'place', 'protocol', 'spool', 'start', 'trouble'].map(
  (name) => `daemon/${name}`,
);

const BELOW_ENGINE = ['model', 'host', 'store', 'capture', 'diff', 'restore', 'usergit', 'transcript', 'timeline', 'index'];

/** The folders below `src`, from the bottom to the top, and the walls between them. */
export const MODULES: Readonly<Record<string, ModuleRule>> = {
  model: { imports: [], isPure: true, why: 'model is data that all modules share' },
  host: { imports: ['model'], why: 'host is the only door to the machine' },
  store: { imports: ['model', 'host'], why: "store knows nothing of users' files" },
  capture: { imports: ['model', 'host', 'store'], why: "capture gets what it needs of the user's git from engine" },
  diff: { imports: ['model', 'store'], why: 'diff reads the store and writes nothing' },
  restore: { imports: ['model', 'host', 'store'], why: "restore applies a finished plan: it is the only writer of users' files" },
  usergit: { imports: ['model', 'host'], why: "usergit reads the user's repository and knows nothing of our store" },
  transcript: { imports: ['model', 'host'], why: "transcript reads agents' session files, nothing else" },
  timeline: { imports: ['model'], isPure: true, why: 'timeline is functions of values: no disk, no clock, no store' },
  index: { imports: ['model', 'host'], why: 'index can be thrown away: engine fills it' },
  engine: { imports: BELOW_ENGINE, why: 'engine is below every face and never calls one' },
  agents: { imports: ['model', 'host'], why: 'agents knows what agents say, not what is recorded' },
  json: { imports: ['model', 'engine'], why: 'json turns what the engine answers into plain data' },
  api: { imports: ['model'], isPure: true, why: 'api is the contract that browsers load too' },
  server: {
    imports: ['model', 'host', 'engine', 'json', 'api', ...DAEMON_CLIENT],
    why: 'server decodes a request, calls the engine or asks the daemon, and encodes the answer',
  },
  daemon: { imports: ['model', 'host', 'engine', 'agents', 'server/index'], why: 'faces ask the daemon; it calls none of them' },
  hook: {
    imports: ['host/environment', 'host/process-stat', ...DAEMON_CLIENT],
    why: 'an agent waits for hook: it loads a few files, each by its name',
  },
  cli: {
    imports: ['model', 'host/pager', 'engine', 'json', 'agents', ...DAEMON_CLIENT],
    why: 'cli reads a command line, calls the engine or asks the daemon, and prints',
  },
  web: { imports: ['api'], isPure: true, why: 'web runs in a browser: it knows the contract' },
};

/** Where processes are started and databases are opened, and made harmless. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['host'],
  'node:sqlite': ['host'],
};
