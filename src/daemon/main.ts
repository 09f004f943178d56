import { enableCompileCache } from 'node:module';
import { Instance, makeDaemonDirectory } from './instance.ts';
import { describe, openLog } from './log.ts';
import { logFile } from './place.ts';
import { ProgramFile } from './program-file.ts';

/**
 * The background process. `--once` records the spooled events and ends, `--upkeep` looks after one store and ends; without them this becomes the one daemon of the user,
 * or ends at once where there is one already.
 */
const log = openLog(logFile());

const fail = (error: unknown): never => {
  log(`failed: ${describe(error)}`);
  process.stderr.write(`retake: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
};

const becomeTheDaemon = async (serve: string | undefined): Promise<void> => {
  const program = new ProgramFile(process.argv[1] ?? '');
  const instance = await Instance.claim();
  if (instance === undefined) process.exit(0);
  process.on('exit', () => instance.release());
  // The rest is loaded by the one that needs it: of many that start at once, all but one are gone by now.
  const { Service } = await import('./service.ts');
  const service = new Service(instance, program, log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void service.end(signal));
  await service.start();
  // The one before it was updated, and its clients come again.
  if (serve !== undefined) await service.serve(JSON.parse(serve));
};

// A process in which something went wrong that nobody expected is not to be trusted: the next request starts another.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

makeDaemonDirectory();
// What is imported from here on is most of the program, and need not be compiled anew by each process.
enableCompileCache();
const [what, directory] = process.argv.slice(2);
if (what === '--upkeep' && directory !== undefined) {
  const { maintainOnce } = await import('./maintain-once.ts');
  await maintainOnce(directory, log);
  process.exit(0);
} else if (what === '--once') {
  const { drainOnce } = await import('./once.ts');
  await drainOnce(log);
  process.exit(0);
} else await becomeTheDaemon(what === '--serve' ? directory : undefined);
