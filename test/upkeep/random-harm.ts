import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HARMED_KINDS, type HarmedKind, type RichStore, write } from './rich-store.ts';

export interface Harm {
  readonly kind: HarmedKind;
  readonly file: string;
  readonly how: string;
  /** Where in the file it begins, of how many bytes. */
  readonly at: number;
  readonly size: number;
}

const WAYS = ['flip', 'flip', 'cut', 'zeros', 'gone'] as const;

/** Harms one file of the store; undefined when that came out the same. */
export const harmOne = (rich: RichStore, random: (below: number) => number): Harm | undefined => {
  const kind = HARMED_KINDS[random(HARMED_KINDS.length)] as HarmedKind;
  const files = rich.files(kind);
  const file = files[random(files.length)] as string;
  const how = WAYS[random(WAYS.length)] as string;
  const path = join(rich.data, file);
  const good = readFileSync(path);
  const at = random(good.length);
  const bytes = Buffer.from(good);
  if (how === 'flip') bytes[at] = (bytes[at] as number) ^ (1 << random(8));
  if (how === 'zeros') bytes.fill(0, at, Math.min(bytes.length, at + 1 + random(200)));
  if (how === 'gone') rmSync(path);
  else if (how !== 'cut' && bytes.equals(good)) return undefined;
  else write(path, how === 'cut' ? bytes.subarray(0, at) : bytes);
  return { kind, file, how, at, size: good.length };
};
