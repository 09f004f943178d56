import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent } from '../../src/agents/index.ts';
import { exportSession, recordEvent, resolveRewind, resolveUndo, rollBack, Workspace } from '../../src/engine/index.ts';
import { type AgentEvent, RetakeError, type SessionId } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';

/**
 * A process that records, goes back, undoes that and exports, until it is told to end, and tells what the file was at each record. What
 * somebody else pruned meanwhile may be unknown by now, or have moved under a plan; nothing else may fail.
 */
const [directory = '', exports = ''] = process.argv.slice(2);
const file = join(directory, 'file');
const truth: Record<string, string> = {};
const done = { records: 0, rewinds: 0, undos: 0, exports: 0, refused: 0 };

const workspace = await Workspace.open({ directory });
const session = 'busy' as SessionId;
const talk = new Conversation(session, directory);
const hear = async (payload: string): Promise<void> => {
  const { checkpoint } = await recordEvent(workspace, decodeEvent('claude-code', payload) as AgentEvent);
  if (checkpoint === null) return;
  truth[checkpoint.id] = readFileSync(file, 'utf8');
  done.records++;
};

const ALLOWED = new Set(['unknown-id', 'nothing-to-undo', 'workspace-moved']);

const unlessPruned = async (kind: 'rewinds' | 'undos' | 'exports', work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
    done[kind]++;
  } catch (error) {
    if (!(error instanceof RetakeError && ALLOWED.has(error.code))) throw error;
    done.refused++;
  }
};

let isOver = false;
process.on('message', () => {
  isOver = true;
});
process.on('uncaughtException', (error) => process.send?.({ failure: error.stack }, () => process.exit(1)));
await hear(talk.start());
for (let turn = 0; !isOver || turn < 20; turn++) {
  await hear(talk.prompt(`p${turn}`, `turn ${turn}`));
  for (let step = 0; step < 3; step++) {
    const id = `${turn} ${step}`;
    await hear(talk.before(id, 'Bash', { command: 'work' }));
    // Few contents, so that what was pruned is needed again.
    writeFileSync(file, `content ${(turn * 5 + step * 3) % 7}\n`);
    await hear(talk.after(id, 'Bash', { command: 'work' }));
  }
  const known = Object.keys(truth);
  const target = known[Math.max(0, known.length - 1 - (turn % 25))] as string;
  if (turn % 2 === 0) {
    await unlessPruned('rewinds', async () => {
      // What nobody is known to have done, because records in between are gone, may be the person's and would stay.
      await rollBack(workspace, resolveRewind(workspace, target, { keepMine: false }));
      if (readFileSync(file, 'utf8') !== truth[target]) throw new Error(`${target} did not come back as it was`);
    });
  } else await unlessPruned('undos', () => rollBack(workspace, resolveUndo(workspace)));
  if (turn % 5 === 4)
    await unlessPruned('exports', () =>
      exportSession(workspace, { session, directory: exports, output: 'last.tar', force: true, madeBy: 'a test' }),
    );
}
workspace.close();
process.send?.({ truth, done });
process.disconnect?.();
