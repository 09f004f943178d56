import type { ObjectId } from '../../model/index.ts';
import { BoundedCache } from './bounded-cache.ts';
import type { ObjectType, StoredObject } from './codec.ts';
import { Damage } from './damage.ts';
import { applyDelta, deltaHeader } from './delta.ts';
import type { Pack } from './pack.ts';

/** A place in a pack where an object begins. */
export interface PackPlace {
  readonly pack: Pack;
  readonly offset: number;
}

/** Finds the base of a delta that is named by id: `near` is the pack to look in first. */
export type FindBase = (id: ObjectId, near: Pack) => PackPlace | StoredObject | undefined;

const CACHED_BYTES = 8 << 20;

/** Follows deltas to their bases, in a loop: chains may be thousands long. Results are not verified here. */
export class PackReader {
  readonly #findBase: FindBase;
  /** Bases that deltas were applied to; the versions of a file tend to be read one after the other. */
  readonly #bases = new BoundedCache<string, StoredObject>(CACHED_BYTES, (object) => object.bytes.length + 200);

  constructor(findBase: FindBase) {
    this.#findBase = findBase;
  }

  read(start: PackPlace): StoredObject {
    const deltas: { readonly key: string; readonly bytes: Buffer }[] = [];
    const visited = new Set<ObjectId>();
    let place = start;
    let object: StoredObject;
    for (;;) {
      const { pack, offset } = place;
      const key = `${pack.name}:${offset}`;
      const known = this.#bases.get(key);
      if (known !== undefined) {
        object = known;
        break;
      }
      const entry = pack.entryAt(offset);
      const bytes = pack.inflate(entry);
      if (entry.kind === 'whole') {
        if (deltas.length === 0) return { type: entry.type, bytes };
        object = { type: entry.type, bytes };
        this.#bases.set(key, object);
        break;
      }
      deltas.push({ key, bytes });
      if (entry.kind === 'delta-by-offset') {
        place = { pack, offset: entry.base };
        continue;
      }
      // Only ids can lead in a circle.
      if (visited.has(entry.base)) throw new Damage('its deltas form a circle');
      visited.add(entry.base);
      const base = this.#findBase(entry.base, pack);
      if (base === undefined) throw new Damage(`the object it is a delta of, ${entry.base}, is missing`);
      if ('bytes' in base) {
        object = base;
        break;
      }
      place = base;
    }
    // What is cached is never handed out: the caller may write into its buffer.
    if (deltas.length === 0) return { type: object.type, bytes: Buffer.from(object.bytes) };
    for (let delta = deltas.pop(); delta !== undefined; delta = deltas.pop()) {
      object = { type: object.type, bytes: applyDelta(object.bytes, delta.bytes) };
      if (deltas.length > 0) this.#bases.set(delta.key, object);
    }
    return object;
  }

  /** The type of the object, from the headers of the entries it is made of. */
  type(start: PackPlace): ObjectType {
    const visited = new Set<ObjectId>();
    for (let { pack, offset } = start; ; ) {
      const entry = pack.entryAt(offset);
      if (entry.kind === 'whole') return entry.type;
      if (entry.kind === 'delta-by-offset') {
        offset = entry.base;
        continue;
      }
      const base = visited.has(entry.base) ? undefined : this.#findBase(entry.base, pack);
      if (base === undefined) throw new Damage(`the object it is a delta of, ${entry.base}, is missing`);
      if ('bytes' in base) return base.type;
      visited.add(entry.base);
      ({ pack, offset } = base);
    }
  }

  /** The size that reading would give, from the first bytes. */
  size({ pack, offset }: PackPlace): number {
    const entry = pack.entryAt(offset);
    return entry.kind === 'whole' ? entry.size : deltaHeader(pack.inflateDeltaStart(entry)).resultSize;
  }

  /** Forgets bases: of packs that are gone, or that may have been damaged. */
  clear(): void {
    this.#bases.clear();
  }
}
