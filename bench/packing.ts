import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../src/model/index.ts';
import { makeLine, makeText } from './contents.ts';
import { demand } from './measure.ts';
import type { Measurement } from './plan.ts';
import { Random } from './random.ts';
import { projectPaths, writeProject } from './repositories.ts';
import { collectGarbage, createCheckpoint, inWorkspace } from './retake.ts';
import { say } from './say.ts';
import { ShadowRepository } from './shadow.ts';

/** Manual checkpoints are limited per session (CKP-3). */
const PER_SESSION = 40;

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

/** What an agent does between two checkpoints: a few lines in one to three files, now and then a new file or one less. */
class SmallEdits {
  readonly #directory: string;
  readonly #paths: string[];
  readonly #random = new Random(6);
  #created = 0;

  constructor(directory: string, paths: readonly string[]) {
    this.#directory = directory;
    this.#paths = [...paths];
  }

  make(): void {
    const random = this.#random;
    for (let left = 1 + random.below(3); left > 0; left--) {
      const chance = random.next();
      if (chance < 0.04) this.#create();
      else if (chance < 0.06) this.#remove();
      else this.#change(join(this.#directory, random.pick(this.#paths)));
    }
    // Whatever came of the above, this checkpoint has something new.
    appendFileSync(join(this.#directory, random.pick(this.#paths)), makeLine(random));
  }

  #change(path: string): void {
    const random = this.#random;
    const lines = readFileSync(path, 'latin1').split('\n');
    const at = random.below(lines.length);
    const added = Array.from({ length: 1 + random.below(4) }, () => makeLine(random).trimEnd());
    lines.splice(at, random.below(4), ...added);
    writeFileSync(path, lines.join('\n'), 'latin1');
  }

  #create(): void {
    const beside = this.#random.pick(this.#paths);
    const path = `${beside.slice(0, beside.lastIndexOf('/'))}/new-${++this.#created}.ts`;
    writeFileSync(join(this.#directory, path), makeText(this.#random, 500 + this.#random.below(5000)));
    this.#paths.push(path);
  }

  #remove(): void {
    const [path] = this.#paths.splice(this.#random.below(this.#paths.length), 1);
    if (path !== undefined) rmSync(join(this.#directory, path));
  }
}

/** Packs without their indexes, and objects that lie about in files of their own. */
const objectBytes = (gitDirectory: string): number =>
  readdirSync(join(gitDirectory, 'objects'), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.pack') || /\/[0-9a-f]{2}$/.test(parentPath))
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);
