import type { SessionId } from '../src/model/index.ts';
import { demand } from './measure.ts';
import { objectBytes } from './object-files.ts';
import type { Measurement } from './plan.ts';
import { projectPaths, writeProject } from './repositories.ts';
import { collectGarbage, createCheckpoint, inWorkspace } from './retake.ts';
import { say } from './say.ts';
import { ShadowRepository } from './shadow.ts';
import { SmallEdits } from './small-edits.ts';

/** Manual checkpoints are limited per session (CKP-3). */
export const PER_SESSION = 40;

/** PRF-6: a long history of small edits. The workspace has no git, so nothing in the store is shared with anyone. */
export const packing: Measurement = {
  rule: 'PRF-6',
  measure: async ({ workshop, plan: { history } }) => {
    const directory = workshop.freshDirectory('workspace');
    writeProject(directory, history.files);
    const shadow = ShadowRepository.create(workshop.fresh('shadow'), directory);
    const edits = new SmallEdits(directory, projectPaths(history.files));
    return inWorkspace(workshop.fresh('retake'), directory, async (workspace) => {
      for (let made = 0; made < history.checkpoints; made++) {
        if (made % 100 === 0) say(`PRF-6: ${made} of ${history.checkpoints} checkpoints`);
        if (made > 0) edits.make();
        const session = `bench-${Math.floor(made / PER_SESSION)}` as SessionId;
        const { checkpoint } = await createCheckpoint(workspace, { session });
        shadow.record();
        demand(checkpoint.state?.files === shadow.tree, 'Retake and git see different files');
      }
      say('PRF-6: packing');
      await collectGarbage(workspace);
      shadow.pack();
      return [
        {
          measure: `PRF-6 ${history.checkpoints.toLocaleString('en')} checkpoints, packed`,
          size: `${history.files.toLocaleString('en')} files`,
          retake: { bytes: objectBytes(workspace.storePath) },
          peer: { bytes: objectBytes(shadow.directory) },
          bar: { atMost: 1.2 },
        },
      ];
    });
  },
};
