import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobId, ByteString, ObjectId } from '../../src/model/index.ts';
import { ObjectStore, objectId } from '../../src/store/objects/index.ts';
import { encodePackIndex, type PackedEntry } from '../../src/store/objects/pack-index.ts';

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };

let repository: string;
let store: ObjectStore;

const git = (...args: string[]): string =>
  execFileSync('git', ['--git-dir', repository, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 << 20 }).toString();

const open = (): ObjectStore => new ObjectStore(repository, { durability: 'process' });
const packDirectory = (): string => join(repository, 'objects/pack');
const packNames = (): string[] => readdirSync(packDirectory()).filter((name) => name.endsWith('.pack'));

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'retake-packs-'));
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', repository], { env });
  store = open();
});

afterEach(() => {
  store.close();
  rmSync(repository, { recursive: true, force: true });
});

/** Versions of one growing file, each in a commit of its own, held by a ref. */
const history = (versions: number): Map<ObjectId, Buffer> => {
  const objects = new Map<ObjectId, Buffer>();
  const lines = Array.from({ length: 200 }, (_, line) => `line ${line} ${createHash('sha1').update(String(line)).digest('hex')}\n`);
  const batch = store.begin();
  let parents: ObjectId[] = [];
  for (let version = 0; version < versions; version++) {
    lines[(version * 7) % lines.length] = `changed in ${version} ${createHash('sha1').update(`v${version}`).digest('hex')}\n`;
    const bytes = Buffer.from(lines.join(''));
    const blob = batch.blob(bytes);
    objects.set(blob, bytes);
    const tree = batch.tree([{ mode: 0o100644, name: 'file' as ByteString, id: blob }]);
    parents = [batch.commit({ tree, parents, time: new Date(version * 1000), message: Buffer.from(`version ${version}\n`) })];
  }
  batch.flush();
  git('update-ref', 'refs/heads/main', parents[0] as string);
  return objects;
};

/** Id, type and size of every object, as git sees them. */
const everyObject = (): string[] => git('cat-file', '--batch-all-objects', '--batch-check').trim().split('\n');

describe("git's packs", () => {
  it.each([
    ['offset', []],
    ['id', ['-c', 'repack.useDeltaBaseOffset=false']],
  ])('[STO-1] deltas by %s in long chains are read, in any order, each verified', (_, config) => {
    const blobs = history(400);
    git(...config, 'repack', '-adfq', '--depth=50', '--window=50');
    const listing = git('verify-pack', '-v', join(packDirectory(), (packNames()[0] as string).replace('.pack', '.idx')));
    expect(listing).toMatch(/chain length = [3-5]\d/);
    const order = [...blobs.keys()];
    for (const reader of [open(), open()]) {
      for (const id of order) {
        expect(reader.readBlob(id as BlobId).equals(blobs.get(id) as Buffer)).toBe(true);
        expect(reader.size(id)).toBe(blobs.get(id)?.length);
      }
      order.reverse();
    }
    const reader = open();
    for (const line of everyObject()) {
      const { type, bytes } = reader.read(line.slice(0, 40) as ObjectId);
      expect(`${objectId(type, bytes)} ${type} ${bytes.length}`).toBe(line);
    }
  });

  it('tags are read', () => {
    history(1);
    git('-c', 'user.name=a', '-c', 'user.email=b', 'tag', '-a', '-m', 'a tag', 'v1', 'refs/heads/main');
    git('repack', '-adq');
    const id = git('rev-parse', 'refs/tags/v1').trim() as ObjectId;
    expect(open().read(id)).toEqual({ type: 'tag', bytes: Buffer.from(git('cat-file', 'tag', id)) });
  });

  it('[STO-3] packs that git replaces behind our back are found again', () => {
    const blobs = history(100);
    for (const id of blobs.keys()) expect(store.has(id)).toBe(true);
    store.read([...blobs.keys()][0] as ObjectId);
    git('repack', '-adfq', '--depth=50');
    for (const [id, bytes] of blobs) expect(store.readBlob(id as BlobId).equals(bytes)).toBe(true);

    const batch = store.begin();
    const loose = batch.blob(Buffer.from('loose\n'));
    const tree = batch.tree([{ mode: 0o100644, name: 'x' as ByteString, id: loose }]);
    const commit = batch.commit({ tree, time: new Date(0), message: Buffer.from('x\n') });
    batch.flush();
    git('update-ref', 'refs/heads/loose', commit);
    store.read(loose);
    git('repack', '-adq');
    git('prune-packed');
    expect(store.readBlob(loose).toString()).toBe('loose\n');

    git('repack', '-adfq', '--window=0');
    expect(store.has(loose)).toBe(true);
    expect(store.readBlob(loose).toString()).toBe('loose\n');
  });

  it('[STO-3] an object that a repack dropped is no longer taken for stored', () => {
    const batch = store.begin();
    const contents = Array.from({ length: 80 }, (_, number) => Buffer.from(`dropped ${number}\n`));
    const ids = contents.map((bytes) => batch.blob(bytes));
    batch.flush();
    expect(ids.every((id) => store.has(id))).toBe(true);
    history(2);
    git('repack', '-adq');
    const again = store.begin();
    for (const bytes of contents) again.blob(bytes);
    again.flush();
    for (const [position, id] of ids.entries()) expect(open().readBlob(id)).toEqual(contents[position]);
  });

  it('[STO-2] packs linked in from another repository are picked up, and keep their objects when they go there', () => {
    const foreign = repository;
    const blobs = history(100);
    git('repack', '-adfq', '--depth=20');
    const linked = packNames().map((name) => name.replace('.pack', ''));
    repository = mkdtempSync(join(tmpdir(), 'retake-packs-'));
    execFileSync('git', ['init', '--quiet', '--bare', '--template=', repository], { env });
    const ours = open();
    for (const id of blobs.keys()) expect(ours.has(id)).toBe(false);
    for (const name of linked) {
      for (const ending of ['.pack', '.idx']) linkSync(join(foreign, 'objects/pack', name + ending), join(packDirectory(), name + ending));
    }
    expect(ours.refreshPacks()).toBe(true);
    expect(ours.refreshPacks()).toBe(false);
    rmSync(foreign, { recursive: true });
    for (const [id, bytes] of blobs) expect(ours.readBlob(id as BlobId).equals(bytes)).toBe(true);
    ours.close();
  });

  it('an index of version 1, one without its pack and other files are left alone', () => {
    const blobs = history(100);
    git('-c', 'pack.indexVersion=1', 'repack', '-adfq');
    writeFileSync(join(packDirectory(), `pack-${'0'.repeat(40)}.idx`), 'no pack beside it');
    writeFileSync(join(packDirectory(), 'pack-readme.txt'), 'hello');
    const reader = open();
    const id = [...blobs.keys()][0] as ObjectId;
    expect(reader.has(id)).toBe(false);
    expect(() => reader.read(id)).toThrow(expect.objectContaining({ code: 'store-damaged' }));
    expect(reader.damagedPacks).toEqual([{ file: expect.stringContaining('.idx'), problem: expect.stringContaining('version 1') }]);
  });
});

describe('hand-made packs', () => {
  const size = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 0x80, ...size(Math.floor(value / 128))]);

  const header = (kind: number, length: number): number[] =>
    length < 16 ? [(kind << 4) | length] : [(kind << 4) | (length & 15) | 0x80, ...size(length >> 4)];

  const offsetTo = (distance: number): number[] => {
    const bytes = [distance & 0x7f];
    for (let rest = distance >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (--rest & 0x7f));
    return bytes;
  };

  /** A delta that keeps the base and puts `more` behind it. */
  const appending = (base: Buffer, more: string): Buffer =>
    Buffer.from([
      ...size(base.length),
      ...size(base.length + more.length),
      0xb0,
      base.length & 255,
      base.length >> 8,
      more.length,
      ...Buffer.from(more),
    ]);

  interface Made {
    id: ObjectId;
    entry: (offset: number, offsets: readonly number[]) => Buffer;
  }

  const whole = (bytes: Buffer): Made => ({
    id: objectId('blob', bytes),
    entry: () => Buffer.concat([Buffer.from(header(3, bytes.length)), deflateSync(bytes)]),
  });

  const byId = (base: ObjectId, delta: Buffer, id: ObjectId): Made => ({
    id,
    entry: () => Buffer.concat([Buffer.from(header(7, delta.length)), Buffer.from(base, 'hex'), deflateSync(delta)]),
  });

  const byOffset = (position: number, delta: Buffer, id: ObjectId): Made => ({
    id,
    entry: (offset, offsets) =>
      Buffer.concat([Buffer.from([...header(6, delta.length), ...offsetTo(offset - (offsets[position] as number))]), deflateSync(delta)]),
  });

  const writePack = (name: string, objects: readonly Made[]): void => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(objects.length);
    const parts: Buffer[] = [Buffer.concat([Buffer.from('PACK\0\0\0\x02'), count])];
    const offsets: number[] = [];
    const entries: PackedEntry[] = [];
    let offset = 12;
    for (const { id, entry } of objects) {
      const bytes = entry(offset, offsets);
      offsets.push(offset);
      entries.push({ id, offset, crc: 0 });
      parts.push(bytes);
      offset += bytes.length;
    }
    const body = Buffer.concat(parts);
    const checksum = createHash('sha1').update(body).digest();
    writeFileSync(join(packDirectory(), `pack-${name}.pack`), Buffer.concat([body, checksum]));
    writeFileSync(join(packDirectory(), `pack-${name}.idx`), encodePackIndex(entries, checksum));
  };

  const base = Buffer.from('the base of it all\n');
  const derived = Buffer.concat([base, Buffer.from('and more\n')]);
  const derivedId = objectId('blob', derived);

  it('the base of a delta may be in another pack', () => {
    writePack('a', [byId(objectId('blob', base), appending(base, 'and more\n'), derivedId)]);
    writePack('b', [whole(base)]);
    expect(open().readBlob(derivedId as BlobId)).toEqual(derived);
    expect(open().size(derivedId)).toBe(derived.length);
  });

  it('the base of a delta may be loose', () => {
    const batch = store.begin();
    batch.blob(base);
    batch.flush();
    writePack('a', [byId(objectId('blob', base), appending(base, 'and more\n'), derivedId)]);
    expect(open().readBlob(derivedId as BlobId)).toEqual(derived);
  });

  it('[REL-5] a delta without its base is damage, and named', () => {
    writePack('a', [byId(objectId('blob', base), appending(base, 'and more\n'), derivedId)]);
    expect(() => open().read(derivedId)).toThrow(
      expect.objectContaining({ code: 'store-damaged', details: { id: derivedId, problem: 'corrupt' } }),
    );
  });

  it('[REL-6] deltas that are each other’s base are damage, not an endless loop', () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)] as [ObjectId, ObjectId];
    writePack('a', [byId(two, appending(base, 'x'), one), byId(one, appending(base, 'y'), two)]);
    expect(() => open().read(one)).toThrow('circle');
    writePack('b', [byId(one, appending(base, 'x'), one)]);
    expect(() => open().read(one)).toThrow(expect.objectContaining({ details: { id: one, problem: 'corrupt' } }));
  });

  it('a chain of 5,000 deltas is read', () => {
    const objects = [whole(base)];
    let bytes: Buffer = base;
    for (let depth = 0; depth < 5000; depth++) {
      const next = Buffer.concat([bytes, Buffer.from('.')]);
      objects.push(byOffset(depth, appending(bytes, '.'), objectId('blob', next)));
      bytes = next;
    }
    writePack('a', objects);
    expect(open().readBlob(objectId('blob', bytes) as BlobId)).toEqual(bytes);
  });

  it('[REL-5] of two copies of an object the good one is found, wherever it is', () => {
    writePack('a', [{ ...whole(Buffer.from('not what it says\n')), id: derivedId }]);
    expect(() => open().read(derivedId)).toThrow('does not match');
    writePack('b', [whole(derived)]);
    expect(open().readBlob(derivedId as BlobId)).toEqual(derived);
    unlinkSync(join(packDirectory(), 'pack-b.pack'));
    const elsewhere = mkdtempSync(join(tmpdir(), 'retake-packs-'));
    execFileSync('git', ['init', '--quiet', '--bare', '--template=', elsewhere], { env });
    execFileSync('git', ['--git-dir', elsewhere, 'hash-object', '-w', '--stdin'], { env, input: derived });
    const from = join(elsewhere, 'objects', derivedId.slice(0, 2));
    execFileSync('cp', ['-r', from, join(repository, 'objects')]);
    rmSync(elsewhere, { recursive: true });
    expect(open().readBlob(derivedId as BlobId)).toEqual(derived);
  });

  it('a size that the pack only claims takes no memory', () => {
    const claimed = Buffer.from([0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    const id = objectId('blob', base);
    writePack('a', [{ id, entry: () => Buffer.concat([claimed, deflateSync(base)]) }]);
    expect(() => open().read(id)).toThrow(expect.objectContaining({ details: { id, problem: 'corrupt' } }));
    writePack('b', [{ id, entry: () => Buffer.concat([Buffer.from([0xbf, ...Array(30).fill(0xff), 0]), deflateSync(base)]) }]);
    expect(() => open().read(id)).toThrow(expect.objectContaining({ details: { id, problem: 'corrupt' } }));
  });

  it('compressed data that are longer than any sane encoder makes them are read all the same', () => {
    const bytes = Buffer.from('padded with empty blocks\n'.repeat(4));
    const stored = Buffer.concat([Buffer.from([0x78, 0x01]), ...Array.from({ length: 500 }, () => Buffer.from([0, 0, 0, 0xff, 0xff]))]);
    const id = objectId('blob', bytes);
    writePack('a', [{ id, entry: () => Buffer.concat([Buffer.from(header(3, bytes.length)), stored, deflateSync(bytes).subarray(2)]) }]);
    expect(open().readBlob(id as BlobId)).toEqual(bytes);
  });
});
