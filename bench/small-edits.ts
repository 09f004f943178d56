import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLine, makeText } from './contents.ts';
import { Random } from './random.ts';

/** What an agent does between two checkpoints: a few lines in one to three files, now and then a new file or one less. */
export class SmallEdits {
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
