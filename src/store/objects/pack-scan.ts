import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ObjectId } from '../../model/index.ts';
import { objectId, type StoredObject } from './codec.ts';
import { unlessDamaged } from './damage.ts';
import { PACK_HEADER, Pack } from './pack.ts';
import type { PackedEntry } from './pack-index.ts';
import { PackReader } from './pack-reader.ts';

interface Span {
  readonly offset: number;
  /** Where the next entry begins. */
  readonly end: number;
}

/** What a pack that can not be found by an index is compared with: it says nothing. */
const NO_CHECKSUM = Buffer.alloc(20);

/**
 * Reads a pack from front to back without its index and hands out every object that still reads. Returns what an index of it says, or null
 * when something in it is damaged.
 */
export const scanPack = (
  path: string,
  findElsewhere: (id: ObjectId) => StoredObject | undefined,
  take: (id: ObjectId, object: StoredObject) => void,
): PackedEntry[] | null => {
  const places = new Map<ObjectId, number>();
  const index = {
    offsetOf: (id: ObjectId) => places.get(id) ?? -1,
    entries: () => places,
    get count() {
      return places.size;
    },
    packChecksum: NO_CHECKSUM,
  };
  const pack = new Pack(dirname(path), basename(path, '.pack'), index, statSync(path).size);
  const reader = new PackReader((id, near) => (places.has(id) ? { pack: near, offset: near.offsetOf(id) } : findElsewhere(id)));
  try {
    const { spans, isWhole } = findEntries(pack);
    const entries: PackedEntry[] = [];
    // Again as long as that leads further: a delta may name a base that stands behind it.
    for (let open = spans, before = -1; open.length > 0 && open.length !== before; ) {
      before = open.length;
      open = open.filter(({ offset, end }) => {
        const object = unlessDamaged(() => reader.read({ pack, offset }));
        if (object === undefined) {
          reader.clear();
          return true;
        }
        const id = objectId(object.type, object.bytes);
        if (!places.has(id)) take(id, object);
        places.set(id, offset);
        entries.push({ id, offset, crc: crc32(pack.raw(offset, end)) });
        return false;
      });
    }
    return isWhole && entries.length === spans.length ? entries : null;
  } finally {
    pack.close();
  }
};

/**
 * Where bytes are damaged, goes on at the next place where an entry can begin: compressed data carry a checksum of their own, so that
 * what inflates to the length announced is one.
 */
const findEntries = (pack: Pack): { spans: Span[]; isWhole: boolean } => {
  const spans: Span[] = [];
  const count = unlessDamaged(() => pack.countAnnounced());
  let isWhole = true;
  for (let offset = PACK_HEADER; offset < pack.end; ) {
    const end = unlessDamaged(() => pack.endOf(offset));
    if (end === undefined) isWhole = false;
    else spans.push({ offset, end });
    offset = end ?? offset + 1;
  }
  return { spans, isWhole: isWhole && spans.length === count };
};
