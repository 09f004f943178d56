import { describe, expect, it } from 'vitest';
import { type ByteString, compareBytes, type ObjectId, type TreeId } from '../../src/model/index.ts';
import { BoundedCache } from '../../src/store/objects/bounded-cache.ts';
import { decodeCommit, decodeTree, encodeCommit, encodeTree, type TreeEntry } from '../../src/store/objects/codec.ts';
import { Damage } from '../../src/store/objects/damage.ts';
import { applyDelta, deltaHeader } from '../../src/store/objects/delta.ts';
import { encodePackIndex, PackIndex } from '../../src/store/objects/pack-index.ts';
import fc from '../support/property.ts';

const id = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('hex') as ObjectId);

const name = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll(/[\0/]/g, '.') as ByteString);

const entries = fc.uniqueArray(fc.record({ mode: fc.constantFrom(0o100644, 0o100755, 0o120000, 0o40000), name, id }), {
  selector: (entry) => entry.name,
});

const key = (entry: TreeEntry): string => (entry.mode === 0o40000 ? `${entry.name}/` : entry.name);

const tolerating = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(Damage);
    return undefined;
  }
};

describe('trees and commits', () => {
  it('[STO-1] a tree comes back as it was, in the order git wants, whatever order it was given in', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const sorted = given.toSorted((a, b) => compareBytes(key(a), key(b)));
        const encoded = encodeTree(given);
        expect(decodeTree(encoded)).toEqual(sorted);
        expect(encodeTree(sorted)).toEqual(encoded);
      }),
    );
  });

  it('[REL-6] bytes that are no tree are refused as damage, never read past their end', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(255), fc.nat(), (given, position, byte, cut) => {
        const bytes = Buffer.from(encodeTree(given));
        if (bytes.length > 0) bytes[position % bytes.length] = byte;
        const read = tolerating(() => decodeTree(bytes.subarray(0, bytes.length - (cut % 30))));
        for (const entry of read ?? []) expect(entry.id).toMatch(/^[0-9a-f]{40}$/);
      }),
    );
  });

  it('an entry without a valid id is not encoded', () => {
    expect(() => encodeTree([{ mode: 0o100644, name: 'a' as ByteString, id: 'abc' as ObjectId }])).toThrow('id');
  });

  it('[STO-1] a commit comes back as it was', () => {
    const message = fc.uint8Array().map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(id, fc.array(id), fc.nat(), message, (tree, parents, seconds, text) => {
        const fields = { tree: tree as TreeId, parents, time: new Date(seconds * 1000), message: text };
        expect(decodeCommit(encodeCommit(fields))).toEqual(fields);
      }),
    );
  });

  it('a commit of someone else is read, with headers we do not know', () => {
    const text = [
      'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      'parent 2222222222222222222222222222222222222222',
      'author Ann <a@b.c> 1 +0000',
      'committer Bob < b > 1700000000 -0530',
      'gpgsig -----BEGIN',
      ' tree 3333333333333333333333333333333333333333',
      'encoding latin1',
      '',
      'Hello',
      '',
      'parent none',
    ].join('\n');
    const read = decodeCommit(Buffer.from(text));
    expect(read.tree).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    expect(read.parents).toEqual(['2222222222222222222222222222222222222222']);
    expect(read.time).toEqual(new Date(1_700_000_000_000));
    expect(read.message.toString()).toBe('Hello\n\nparent none');
    expect(() => decodeCommit(Buffer.from('tree nonsense\n\nx'))).toThrow(Damage);
    expect(() => decodeCommit(Buffer.alloc(0))).toThrow(Damage);
  });
});

describe('deltas', () => {
  it('copies and insertions are applied', () => {
    const base = Buffer.from('0123456789');
    // Sizes 10 and 7; copy 3 bytes from 4; insert "ab"; copy 2 bytes from 0, the offset left out.
    const delta = Buffer.from([10, 7, 0x91, 4, 3, 2, 0x61, 0x62, 0x90, 2]);
    expect(applyDelta(base, delta).toString()).toBe('456ab01');
    expect(deltaHeader(delta)).toMatchObject({ baseSize: 10, resultSize: 7 });
  });

  it('a copy without a size takes 65,536 bytes, from offsets of four bytes too', () => {
    const base = Buffer.alloc(0x11000, 'x');
    const delta = Buffer.from([0x80, 0xa0, 0x04, 0x80, 0x80, 0x04, 0x82, 0x10]);
    expect(applyDelta(base, delta)).toEqual(base.subarray(0x1000));
    expect(() => applyDelta(base, Buffer.from([0x80, 0xa0, 0x04, 1, 0x98, 0xff, 1]))).toThrow(Damage);
  });

  it('[REL-6] any bytes as a delta give damage or the declared size, and take no more memory than they fill', () => {
    const base = Buffer.from('the base that deltas are applied to');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), fc.boolean(), (bytes, plausible) => {
        const delta = Buffer.from(plausible ? [base.length, ...bytes] : bytes);
        const result = tolerating(() => applyDelta(base, delta));
        if (result !== undefined) expect(result.length).toBe(deltaHeader(delta).resultSize);
      }),
      { numRuns: 2000 },
    );
    const petabytes = Buffer.from([base.length, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x90, 1]);
    expect(() => applyDelta(base, petabytes)).toThrow(Damage);
  });
});

describe('pack indexes', () => {
  const checksum = Buffer.alloc(20, 7);
  const packed = fc.uniqueArray(fc.record({ id, offset: fc.maxSafeNat(), crc: fc.nat() }), { selector: (entry) => entry.id });

  it('every object is found at its offset, beyond 4 GB too, and no other is', () => {
    fc.assert(
      fc.property(packed, id, (given, other) => {
        const index = new PackIndex(encodePackIndex(given, checksum));
        expect(index.count).toBe(given.length);
        for (const entry of given) expect(index.offsetOf(entry.id)).toBe(entry.offset);
        if (!given.some((entry) => entry.id === other)) expect(index.offsetOf(other)).toBe(-1);
      }),
    );
  });

  it('ids that differ in their last digit only are told apart', () => {
    const given = [...'0123456789abcdef'].map((digit, offset) => ({ id: ('f'.repeat(39) + digit) as ObjectId, offset, crc: 0 }));
    const index = new PackIndex(encodePackIndex(given, checksum));
    for (const entry of given) expect(index.offsetOf(entry.id)).toBe(entry.offset);
  });

  it('[REL-5] cut short or overwritten anywhere it is refused, or answers without reading beyond its end', () => {
    fc.assert(
      fc.property(packed, fc.nat(), fc.nat(255), fc.nat(), (given, position, byte, cut) => {
        const bytes = encodePackIndex(given, checksum);
        bytes[position % bytes.length] = byte;
        const index = tolerating(() => new PackIndex(bytes.subarray(0, bytes.length - (cut % 64))));
        for (const entry of given) expect(typeof (index?.offsetOf(entry.id) ?? 0)).toBe('number');
      }),
      { numRuns: 500 },
    );
  });

  it('an index of version 1 or 3 is refused', () => {
    const bytes = encodePackIndex([], checksum);
    expect(() => new PackIndex(bytes.subarray(8))).toThrow(Damage);
    bytes.writeUInt32BE(3, 4);
    expect(() => new PackIndex(bytes)).toThrow('version 3');
  });
});

describe('the bounded cache', () => {
  it('drops what was not used for longest, and never takes what would fill it alone', () => {
    const cache = new BoundedCache<string, number>(100, (weight) => weight);
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 25);
    expect(cache.get('a')).toBe(25);
    cache.set('e', 20);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
    cache.set('f', 26);
    expect(cache.get('f')).toBeUndefined();
  });
});
