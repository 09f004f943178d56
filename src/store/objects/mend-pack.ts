import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Durability, exists, replaceFile } from '../../host/index.ts';
import type { ObjectId } from '../../model/index.ts';
import { soundChecksum } from './checksum.ts';
import type { StoredObject } from './codec.ts';
import { unlessDamaged } from './damage.ts';
import { encodePackIndex } from './pack-index.ts';
import { scanPack } from './pack-scan.ts';
import { PackWriter } from './pack-writer.ts';

export interface MendOptions {
  readonly durability: Durability;
  /** Takes a file out of the store, to be looked at later. */
  readonly moveAside: (path: string) => void;
  /** For deltas whose base is not in the pack. */
  readonly findElsewhere: (id: ObjectId) => StoredObject | undefined;
}

/**
 * Makes all of a pack that still reads readable again: with a new index where the pack itself is whole, else in a new pack. Nothing is taken
 * away before that is in place.
 */
export const mendPack = (pack: string, { durability, moveAside, findElsewhere }: MendOptions): void => {
  if (!exists(pack)) {
    for (const file of filesOf(pack)) moveAside(file);
    return;
  }
  const checksum = unlessDamaged(() => soundChecksum(pack));
  const writer = checksum === undefined ? new PackWriter(dirname(dirname(pack)), durability) : undefined;
  let count = 0;
  try {
    const entries = scanPack(pack, findElsewhere, (id, { type, bytes }) => {
      writer?.add(id, type, bytes);
      count++;
    });
    if (checksum !== undefined && entries !== null) {
      const index = pack.replace(/pack$/, 'idx');
      if (exists(index)) moveAside(index);
      replaceFile(index, encodePackIndex(entries, checksum), { durability, mode: 0o444, temporaryIn: dirname(dirname(pack)) });
      return;
    }
    if (count > 0) writer?.finish();
  } finally {
    writer?.abandon();
  }
  for (const file of filesOf(pack)) moveAside(file);
};

/** The pack and all that belongs to it. */
const filesOf = (pack: string): string[] => {
  const stem = basename(pack, '.pack');
  return readdirSync(dirname(pack))
    .filter((name) => name.startsWith(`${stem}.`))
    .map((name) => join(dirname(pack), name));
};
