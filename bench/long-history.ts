import { cpSync, readdirSync } from 'node:fs';
import type { SessionId } from '../src/model/index.ts';
import { objectBytes } from './object-files.ts';
import { PER_SESSION } from './packing.ts';
import type { Measurement } from './plan.ts';
import { projectPaths, writeProject } from './repositories.ts';
import { collectGarbage, createCheckpoint, inWorkspace } from './retake.ts';
import { runGit } from './run-git.ts';
import { say } from './say.ts';
import { SmallEdits } from './small-edits.ts';

/** STO-3: what a store comes to that was used for long, before and after packing, and what git makes of a copy of it. */
export const longHistory: Measurement = {
  rule: 'STO-3',
  measure: async ({ workshop, plan: { longHistory: plan } }) => {
    const directory = workshop.freshDirectory('workspace');
    writeProject(directory, plan.files);
    const edits = new SmallEdits(directory, projectPaths(plan.files));
    return inWorkspace(workshop.fresh('retake'), directory, async (workspace) => {
      for (let made = 0; made < plan.checkpoints; made++) {
        if (made % 500 === 0) say(`STO-3: ${made} of ${plan.checkpoints} checkpoints`);
        if (made > 0) edits.make();
        await createCheckpoint(workspace, { session: `bench-${Math.floor(made / PER_SESSION)}` as SessionId });
      }
      const copy = workshop.fresh('copy');
      cpSync(workspace.storePath, copy, { recursive: true });
      say('STO-3: packing');
      const { before, after } = await collectGarbage(workspace);
      runGit(copy, ['repack', '-a', '-d', '-q'], { GIT_DIR: copy });
      runGit(copy, ['pack-refs', '--all'], { GIT_DIR: copy });
      const size = `${plan.checkpoints.toLocaleString('en')} checkpoints of ${plan.files.toLocaleString('en')} files`;
      return [
        {
          measure: 'STO-3 objects after `gc`, against `git repack -a -d` of the same',
          size,
          retake: { bytes: objectBytes(workspace.storePath) },
          peer: { bytes: objectBytes(copy) },
          bar: { atMost: 1.2 },
        },
        {
          measure: 'STO-3 files after `gc`, against git',
          size,
          retake: { files: after.files },
          peer: { files: filesIn(copy) },
          bar: { atMost: 2 },
        },
        {
          measure: 'STO-3 files after `gc`, against before',
          size,
          retake: { files: after.files },
          peer: { files: before.files },
          bar: { atMost: 0.05 },
        },
        {
          measure: 'STO-3 bytes after `gc`, against before',
          size,
          retake: { bytes: after.bytes },
          peer: { bytes: before.bytes },
          bar: { atMost: 1 },
        },
      ];
    });
  },
};

const filesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
