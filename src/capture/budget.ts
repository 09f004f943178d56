import { RetakeError } from '../model/index.ts';
import type { CaptureLimits } from './request.ts';

/** Counts what a capture takes in, and stops it when the workspace is larger than allowed (CAP-9). */
export class Budget {
  readonly #limits: CaptureLimits;
  readonly #onProgress: ((files: number) => void) | undefined;
  #files = 0;
  #bytes = 0;
  #told = 0;

  constructor(limits: CaptureLimits, onProgress: ((files: number) => void) | undefined) {
    this.#limits = limits;
    this.#onProgress = onProgress;
  }

  spend(files: number, bytes: number): void {
    this.#files += files;
    this.#bytes += bytes;
    if (this.#onProgress !== undefined && this.#files - this.#told >= 1000) {
      this.#told = this.#files;
      this.#onProgress(this.#files);
    }
    const { maxFiles, maxTotalBytes } = this.#limits;
    if (this.#files > maxFiles) throw overBudget(`more than ${maxFiles} files`, 'capture.maxFiles');
    if (this.#bytes > maxTotalBytes) throw overBudget(`more than ${maxTotalBytes} bytes`, 'capture.maxTotalBytes');
  }
}

const overBudget = (what: string, setting: string): RetakeError =>
  new RetakeError('over-budget', `The workspace holds ${what}`, {
    hint: `Ignore what need not be kept (.gitignore), or raise the setting ${setting}.`,
  });
