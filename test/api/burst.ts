import { decodeEvent } from '../../src/agents/index.ts';
import { recordEvent, Workspace } from '../../src/engine/index.ts';
import type { AgentEvent } from '../../src/model/index.ts';
import { Conversation } from '../daemon/claude-code.ts';

/** A process that records as many prompts as it is told to, as fast as it can. */
const [directory = '', session = '', count = '', length = ''] = process.argv.slice(2);
const workspace = await Workspace.open({ directory });
const talk = new Conversation(session, directory);
for (let turn = 0; turn < Number(count); turn++) {
  await recordEvent(workspace, decodeEvent('claude-code', talk.prompt(`p${turn}`, `${turn} `.padEnd(Number(length), '-'))) as AgentEvent);
}
workspace.close();
