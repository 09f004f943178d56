import { runProgram } from '../../src/cli/program.ts';

interface CommandRequest {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

export interface CommandReply {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs many command lines in one process, for questions that are asked after every one of hundreds of kills. */
const answer = async ({ directory, env, args }: CommandRequest): Promise<CommandReply> => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(directory);
  const said = { stdout: '', stderr: '' };
  const { stdout, stderr } = { stdout: process.stdout.write, stderr: process.stderr.write };
  const listen = (stream: 'stdout' | 'stderr') =>
    ((chunk: string | Uint8Array) => {
      said[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }) as typeof process.stdout.write;
  process.stdout.write = listen('stdout');
  process.stderr.write = listen('stderr');
  try {
    return { code: await runProgram(args), ...said };
  } finally {
    process.stdout.write = stdout;
    process.stderr.write = stderr;
  }
};

let turn: Promise<unknown> = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  turn = turn.then(async () => process.send?.(await answer(request)));
});
