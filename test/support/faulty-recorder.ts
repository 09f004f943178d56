import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent } from '../../src/agents/index.ts';
import { commitLock, commitSteps, recordEvent, WarmMemory, Workspace } from '../../src/engine/index.ts';
import { runFaulty } from './faults.ts';

/**
 * Records events as the daemon does, with everything put off that can be. Each argument is an event's payload, `settle`, or
 * `PATH=CONTENT` to write a file of the workspace. Prints the id of what each event came to, once it would be reported.
 */
await runFaulty(async () => {
  const workspace = await Workspace.open({ directory: process.cwd() });
  const memory = new WarmMemory(workspace, { cookies: join(workspace.data, 'cookies') });
  workspace.memory = memory;
  workspace.defersWork = true;
  const commits = commitLock(workspace);
  for (const argument of process.argv.slice(2)) {
    const [, path, content = ''] = /^([^={]+)=(.*)$/s.exec(argument) ?? [];
    if (argument === 'settle') await workspace.flush();
    else if (path !== undefined) writeFileSync(path, content);
    else {
      const event = decodeEvent('claude-code', argument);
      if (event === null) return 1;
      const { checkpoint } = await recordEvent(workspace, event);
      writeSync(1, `reported ${checkpoint?.id ?? 'nothing'}\n`);
      await commits.hold(() => commitSteps(workspace, event.session, { after: event.kind }));
    }
  }
  memory.save();
  commits.close();
  workspace.close();
  return 0;
});
