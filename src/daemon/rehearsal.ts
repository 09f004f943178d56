import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { decodeEvent } from '../agents/index.ts';
import { placeOfWorkspace, recordEvent } from '../engine/index.ts';
import { effects, exists, replaceFile } from '../host/index.ts';
import type { Log } from './log.ts';
import { daemonDirectory } from './place.ts';
import { WarmWorkspace } from './warm-workspace.ts';

/** Milliseconds that it waits: a daemon is started because there is work, and the agent needs the processor for that. */
const NOT_BEFORE = 5000;
const EVENTS = 300;
const FOLDERS = 12;
const FILES = 15;
const PAUSE = 3;
const GIVE_WAY = 50;

/**
 * Code that has run a few times is several times slower than code that has run often: V8 compiles what proves worth it. So
 * that agents don't pay for that, a new daemon plays through a session in a project of its own and throws it away. Tells whether it did.
 */
export const rehearse = async (log: Log, isBusy: () => boolean, signal: AbortSignal): Promise<boolean> => {
  await sleep(NOT_BEFORE, undefined, { ref: false, signal }).catch(() => {});
  if (signal.aborted) return false;
  const directory = join(daemonDirectory(), 'rehearsal');
  // What a daemon left that was killed meanwhile.
  effects.removeTree(directory);
  makeProject(directory);
  effects.removeTree(placeOfWorkspace(directory).data);
  const warm = await WarmWorkspace.open(directory, log);
  try {
    for (let number = 0; number < EVENTS && !signal.aborted; number++) {
      // Whoever has real work comes first.
      await sleep(isBusy() ? GIVE_WAY : PAUSE, undefined, { ref: false });
      // Somebody cleared everything away, us included.
      if (!exists(directory)) return false;
      edit(directory, number);
      // For the system to tell of it.
      await nextTurn();
      const event = decodeEvent('claude-code', payload(directory, number));
      if (number % 2 === 0) await warm.lookAhead();
      if (event !== null) await warm.run((workspace) => recordEvent(workspace, event));
    }
    return !signal.aborted;
  } finally {
    const { data } = warm.workspace;
    await warm.close();
    effects.removeTree(data);
    effects.removeTree(directory);
  }
};

/** With a repository of its own, so that it is a workspace of its own, wherever the data directory lies. */
const makeProject = (directory: string): void => {
  for (const folder of ['.git/objects', '.git/refs/heads']) effects.makeDirectories(join(directory, folder));
  replaceFile(join(directory, '.git/HEAD'), Buffer.from('ref: refs/heads/main\n'));
  replaceFile(join(directory, '.git/config'), Buffer.from('[core]\n\trepositoryformatversion = 0\n'));
  replaceFile(join(directory, '.gitignore'), Buffer.from('*.log\n'));
  for (let folder = 0; folder < FOLDERS; folder++) {
    effects.makeDirectories(join(directory, `src/part-${folder}`));
    for (let file = 0; file < FILES; file++) write(directory, folder, file, 'const a = 1;\n');
  }
};

const edit = (directory: string, number: number): void =>
  write(directory, number % FOLDERS, Math.floor(number / FOLDERS) % FILES, `const a = ${number};\n`);

const write = (directory: string, folder: number, file: number, line: string): void =>
  replaceFile(join(directory, `src/part-${folder}/file-${file}.ts`), Buffer.from(line.repeat(100)));

const payload = (directory: string, number: number): string =>
  JSON.stringify({
    hook_event_name: 'PostToolUse',
    session_id: 'rehearsal',
    cwd: directory,
    tool_name: 'Edit',
    tool_use_id: `tool-${number}`,
    tool_input: { file_path: join(directory, 'src/part-0/file-0.ts') },
  });
