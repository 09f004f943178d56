import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** One command line, to be run in a process that lives on. */
export interface CommandRequest {
  readonly number: number;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

export interface CommandReply {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface NumberedReply extends CommandReply {
  readonly number: number;
}

/** The program as it was built: what runs here is what `bin/retake` runs. */
const PROGRAM = pathToFileURL(join(import.meta.dirname, '../../dist/program.cjs')).href;
const { runProgram } = (await import(PROGRAM)) as typeof import('../../src/cli/program.ts');

type Write = typeof process.stdout.write;

/** Takes what is written to a stream, until it is given back. */
const divert = (stream: NodeJS.WriteStream): { readonly text: () => string; readonly giveBack: () => void } => {
  const write = stream.write;
  const chunks: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const done = rest.find((one) => typeof one === 'function');
    if (done !== undefined) process.nextTick(done as () => void);
    return true;
  }) as Write;
  return {
    text: () => Buffer.concat(chunks).toString(),
    giveBack: () => {
      stream.write = write;
    },
  };
};

const answer = async ({ directory, env, args }: CommandRequest): Promise<CommandReply> => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(directory);
  const [stdout, stderr] = [divert(process.stdout), divert(process.stderr)];
  try {
    const code = await runProgram(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.giveBack();
    stderr.giveBack();
    // Tests remove their directories.
    process.chdir('/');
  }
};

let turn: Promise<unknown> = Promise.resolve();
const inTurn = (request: CommandRequest, reply: (answered: NumberedReply) => void): void => {
  turn = turn.then(async () => reply({ number: request.number, ...(await answer(request)) }));
};

process.on('disconnect', () => process.exit());
const [requests, replies] = process.argv.slice(2);
if (requests === undefined || replies === undefined)
  process.on('message', (request: CommandRequest) => inTurn(request, (reply) => process.send?.(reply)));
else
  createInterface(createReadStream(requests, { flags: 'r+' })).on('line', (line) =>
    inTurn(JSON.parse(line), (reply) => writeFileSync(replies, `${JSON.stringify(reply)}\n`)),
  );
