import { join } from 'node:path';
import { exportSession } from '../../src/engine/index.ts';
import type { Stage } from '../attribution/stage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Writes a session of a stage into a file; returns that. */
export const exportOf = async ({ workspace, root }: Stage, session: string): Promise<string> => {
  const output = join(temporaryDirectory(), 'exported.tar');
  await exportSession(workspace, { session, output, directory: root, madeBy: 'test' });
  return output;
};
