import { statSync } from 'node:fs';

/** The file this process was started from, to notice that the program was updated. */
export class ProgramFile {
  readonly path: string;
  readonly #identity: string | undefined;

  constructor(path: string) {
    this.path = path;
    this.#identity = identify(path);
  }

  /** A missing file may be on its way: it is `gone` only for those who keep looking. */
  look(): 'same' | 'replaced' | 'gone' {
    const found = identify(this.path);
    if (found === undefined) return 'gone';
    return found === this.#identity ? 'same' : 'replaced';
  }
}

const identify = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
};
