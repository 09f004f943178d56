import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BlobId, type ByteString, type ObjectId, RetakeError } from '../../src/model/index.ts';
import { ObjectStore, type StoredObject } from '../../src/store/objects/index.ts';
import fc from '../support/property.ts';

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };

const work = mkdtempSync(join(tmpdir(), 'retake-damage-'));
const pristine = join(work, 'pristine');
const repository = join(work, 'damaged');
const objects = new Map<ObjectId, StoredObject>();
const ofKind: Record<'loose' | 'pack' | 'idx', string[]> = { loose: [], pack: [], idx: [] };

const git = (...args: string[]): string =>
  execFileSync('git', ['--git-dir', pristine, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();

const open = (directory = repository): ObjectStore => new ObjectStore(directory, { durability: 'process' });

const write = (path: string, bytes: Buffer): void => {
  unlinkSync(path);
  writeFileSync(path, bytes);
};

/** Two packs, one of git's with deltas and one of ours, and loose objects of every type. */
beforeAll(() => {
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', pristine], { env });
  const store = open(pristine);
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line} ${createHash('sha1').update(String(line)).digest('hex')}\n`);
  let parents: ObjectId[] = [];
  const version = (number: number): void => {
    const batch = store.begin();
    lines[number] = `changed in ${number}\n`;
    const entries = [
      { mode: 0o100644, name: 'file' as ByteString, id: batch.blob(Buffer.from(lines.join(''))) },
      { mode: 0o100644, name: '\xff odd' as ByteString, id: batch.blob(Buffer.from(`small ${number}`)) },
    ];
    parents = [batch.commit({ tree: batch.tree(entries), parents, time: new Date(number), message: Buffer.from(`${number}\n`) })];
    batch.flush();
    git('update-ref', 'refs/heads/main', parents[0] as string);
  };
  for (let number = 0; number < 20; number++) version(number);
  git('repack', '-adfq', '--depth=50');
  git('prune-packed');
  const batch = store.begin();
  for (let number = 0; number < 70; number++) batch.blob(Buffer.from(`of ours ${number}\n`.repeat(number)));
  batch.flush();
  version(30);
  for (const id of git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').trim().split('\n')) {
    objects.set(id as ObjectId, store.read(id as ObjectId));
  }
  store.close();
  for (const file of readdirSync(join(pristine, 'objects'), { recursive: true }) as string[]) {
    if (!statSync(join(pristine, 'objects', file)).isFile()) continue;
    const kind = /\.(pack|idx)$/.exec(file)?.[1] as 'pack' | 'idx' | undefined;
    if (kind !== undefined || /^[0-9a-f]{2}\//.test(file)) ofKind[kind ?? 'loose'].push(file);
  }
  cpSync(pristine, repository, { recursive: true });
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

const isReport = (error: unknown, id: ObjectId): boolean =>
  error instanceof RetakeError && error.code === 'store-damaged' && error.details?.id === id && error.message.includes(id);

/** Every object is right, or reported by its own id; returns the reported ones. */
const readAll = (): ObjectId[] => {
  const store = open();
  const reported: ObjectId[] = [];
  const wrong: unknown[] = [];
  for (const [id, good] of objects) {
    try {
      const read = store.read(id);
      if (read.type !== good.type || !read.bytes.equals(good.bytes)) wrong.push(`wrong bytes for ${id}`);
    } catch (error) {
      if (!isReport(error, id)) wrong.push(error);
      reported.push(id);
    }
    try {
      store.has(id);
      store.size(id);
    } catch (error) {
      if (!isReport(error, id)) wrong.push(error);
    }
  }
  store.close();
  expect(wrong).toEqual([]);
  return reported;
};

const withDamage = (file: string, damage: (bytes: Buffer) => Buffer, check: () => void): void => {
  const path = join(repository, 'objects', file);
  const good = readFileSync(path);
  write(path, damage(Buffer.from(good)));
  try {
    check();
  } finally {
    write(path, good);
  }
};

describe('damaged files', () => {
  it('the fixture is sound and has every kind of file', () => {
    expect(readAll()).toEqual([]);
    expect([ofKind.pack.length, ofKind.idx.length]).toEqual([2, 2]);
    expect(ofKind.loose.length).toBeGreaterThan(2);
    expect(git('verify-pack', '-v', ...ofKind.idx.map((file) => join(pristine, 'objects', file)))).toContain('chain length = 5');
  });

  for (const kind of ['loose', 'pack', 'idx'] as const) {
    const file = fc.nat().map((choice) => () => ofKind[kind][choice % ofKind[kind].length] as string);

    it(`[REL-5] a flipped bit anywhere in a ${kind} file: the right bytes, or an error that names the id`, () => {
      fc.assert(
        fc.property(file, fc.maxSafeNat(), fc.nat(7), (chosen, position, bit) => {
          const flip = (bytes: Buffer): Buffer => {
            bytes[position % bytes.length] = (bytes[position % bytes.length] as number) ^ (1 << bit);
            return bytes;
          };
          withDamage(chosen(), flip, readAll);
        }),
        { numRuns: 100 },
      );
    });

    it(`[REL-5] a ${kind} file cut anywhere, filled with zeros or with noise from there: the same`, () => {
      const from = fc.double({ min: 0, max: 1, noNaN: true });
      fc.assert(
        fc.property(file, from, fc.constantFrom('cut', 'zeros', 'noise'), fc.integer(), (chosen, share, how, seed) => {
          const damage = (bytes: Buffer): Buffer => {
            const start = Math.floor(share * bytes.length);
            if (how === 'cut') return bytes.subarray(0, start);
            if (how === 'zeros') return bytes.fill(0, start);
            for (let at = start, value = seed; at < Math.min(bytes.length, start + 64); at++) bytes[at] = value = (value * 75 + 74) % 65537;
            return bytes;
          };
          withDamage(chosen(), damage, readAll);
        }),
        { numRuns: 60 },
      );
    });
  }

  it('[REL-5] a flipped bit in one object of a pack harms no object that does not need it', () => {
    const pack = ofKind.pack.find((file) => readFileSync(join(repository, 'objects', file)).readUInt32BE(8) === 70) as string;
    const flip = (bytes: Buffer): Buffer => {
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] as number) ^ 1;
      return bytes;
    };
    withDamage(pack, flip, () => expect(readAll()).toHaveLength(1));
  });

  it('[REL-5] an index that can not be used is told, with the objects that are missing by it', () => {
    const index = ofKind.idx[0] as string;
    withDamage(
      index,
      (bytes) => bytes.subarray(0, 1200),
      () => {
        const store = open();
        const lost = readAll()[0] as ObjectId;
        expect(store.has(lost)).toBe(false);
        const damagedPacks = [{ file: join(repository, 'objects', index), problem: expect.any(String) }];
        expect(() => store.read(lost)).toThrow(expect.objectContaining({ details: { id: lost, problem: 'missing', damagedPacks } }));
        expect(store.damagedPacks).toEqual(damagedPacks);
      },
    );
    expect(readAll()).toEqual([]);
  });
});

describe('writing what is damaged', () => {
  const content = Buffer.from('written twice, for the first copy was damaged\n');
  let id: BlobId;
  let path: string;

  const put = (): number => {
    const batch = open().begin();
    id = batch.blob(content);
    batch.flush();
    return batch.bytesAdded;
  };

  beforeEach(() => {
    put();
    path = join(repository, 'objects', id.slice(0, 2), id.slice(2));
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['torn', (bytes) => bytes.subarray(0, bytes.length - 3)],
    ['of zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['bit-flipped', (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)))],
    ['another object', () => readFileSync(join(repository, 'objects', ofKind.loose[0] as string))],
  ])('[REL-5] a loose file that is %s is reported, and replaced when the object is stored again', (_, damage) => {
    write(path, damage(readFileSync(path)));
    expect(() => open().read(id)).toThrow(expect.objectContaining({ code: 'store-damaged', details: { id, problem: 'corrupt' } }));
    expect(put()).toBeGreaterThan(0);
    expect(open().readBlob(id)).toEqual(content);
    expect(put()).toBe(0);
  });

  it('[REL-5] an empty loose file does not count as stored', () => {
    write(path, Buffer.alloc(0));
    expect(open().has(id)).toBe(false);
  });

  it('[REL-5] objects in the missing part of a truncated pack do not count as stored, and are written again', () => {
    const contents = Array.from({ length: 70 }, (_, number) => Buffer.from(`of ours ${number}\n`.repeat(number)));
    const pack = ofKind.pack.find((file) => readFileSync(join(repository, 'objects', file)).readUInt32BE(8) === 70) as string;
    const full = join(repository, 'objects', pack);
    const good = readFileSync(full);
    for (const length of [0, 20, 40, good.length >> 1, good.length - 1]) {
      truncateSync(full, length);
      const batch = open().begin();
      const ids = contents.map((bytes) => batch.blob(bytes));
      batch.flush();
      for (const [position, stored] of ids.entries()) expect(open().readBlob(stored)).toEqual(contents[position]);
      write(full, good);
    }
  });
});
