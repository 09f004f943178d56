import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observeEffects } from '../../src/host/effects.ts';
import { type BlobId, type ByteString, type ObjectId, RetakeError, type TreeId } from '../../src/model/index.ts';
import { ObjectStore } from '../../src/store/objects/index.ts';

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };

let repository: string;
let store: ObjectStore;

const git = (args: readonly string[], input?: Uint8Array): Buffer =>
  execFileSync('git', ['--git-dir', repository, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'], input, maxBuffer: 64 << 20 });

const open = (): ObjectStore => new ObjectStore(repository, { durability: 'process' });

const packFiles = (): string[] => readdirSync(join(repository, 'objects/pack')).sort();
const looseFiles = (): string[] =>
  readdirSync(join(repository, 'objects'))
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => readdirSync(join(repository, 'objects', name)).map((rest) => name + rest));
const strays = (): string[] =>
  readdirSync(join(repository, 'objects'), { recursive: true }).filter((name) => String(name).includes('tmp')) as string[];

/** fsck also says which objects nothing refers to; that is no complaint. */
const complaints = (): string => {
  const found = execFileSync('sh', ['-c', 'git --git-dir "$0" fsck --full --strict --no-dangling 2>&1; echo "exit $?"', repository], {
    env,
  });
  return found.toString().replaceAll(/^(Checking|notice: (HEAD|No default)).*\n/gm, '');
};

const text = (value: string): Buffer => Buffer.from(value);
const fileEntry = (name: string, id: ObjectId, mode = 0o100644) => ({ mode, name: Buffer.from(name).toString('latin1') as ByteString, id });
const some = (count: number, label = 'object'): Buffer[] => Array.from({ length: count }, (_, number) => text(`${label} ${number}\n`));

const put = (...contents: Buffer[]): BlobId[] => {
  const batch = store.begin();
  const ids = contents.map((bytes) => batch.blob(bytes));
  batch.flush();
  return ids;
};

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'retake-objects-'));
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', repository], { env });
  store = open();
});

afterEach(() => {
  observeEffects(undefined);
  store.close();
  rmSync(repository, { recursive: true, force: true });
});

describe('writing', () => {
  const contents = [
    Buffer.alloc(0),
    text('hello\n'),
    Buffer.from([0, 255, 13, 10, 0]),
    randomBytes(70_000),
    Buffer.alloc(3 << 20, 'abc'),
    randomBytes(5 << 20),
  ];

  it.each([
    ['loose files', contents.slice(0, 4), 0],
    ['a pack', [...contents, ...some(100)], 1],
  ])('[STO-1] blobs in %s are what git hash-object names and git cat-file reads', (_, blobs, packs) => {
    const ids = put(...blobs);
    expect(packFiles()).toHaveLength(packs * 2);
    expect(looseFiles()).toHaveLength(packs === 0 ? blobs.length : 0);
    for (const [position, id] of ids.entries()) {
      const bytes = blobs[position] as Buffer;
      if (position < contents.length) {
        expect(git(['hash-object', '--stdin'], bytes).toString().trim()).toBe(id);
        expect(git(['cat-file', 'blob', id]).equals(bytes)).toBe(true);
      }
      expect(open().readBlob(id).equals(bytes)).toBe(true);
      expect(store.size(id)).toBe(bytes.length);
      expect(store.has(id)).toBe(true);
    }
    expect(complaints()).toBe('exit 0\n');
  });

  it('[STO-1] trees with odd names are those of git mktree, the empty one too', () => {
    const [id] = put(text('x')) as [BlobId];
    const batch = store.begin();
    const empty = batch.tree([]);
    const names = ['a', 'a.b', 'a-b', 'a0', 'new\nline', '-dash', ' ', '*', ':(top)', 'z'.repeat(255), 'ü', 'é', '.x'];
    const entries = [
      ...names.map((name) => fileEntry(name, id)),
      { mode: 0o120000, name: '\xff\xfe\x80' as ByteString, id },
      fileEntry('run', id, 0o100755),
      ...['a b', 'a:', 'dir', 'z'].map((name) => fileEntry(name, empty, 0o40000)),
    ];
    const tree = batch.tree(entries);
    batch.flush();
    const listing = entries.map(
      ({ mode, name, id }) => `${mode.toString(8).padStart(6, '0')} ${mode === 0o40000 ? 'tree' : 'blob'} ${id}\t${name}\0`,
    );
    expect(
      git(['mktree', '-z'], Buffer.from(listing.join(''), 'latin1'))
        .toString()
        .trim(),
    ).toBe(tree);
    expect(git(['mktree'], Buffer.alloc(0)).toString().trim()).toBe(empty);
    expect(open().readTree(empty)).toEqual([]);
    const listed = git(['ls-tree', '-z', '--name-only', tree]).toString('latin1').split('\0').slice(0, -1);
    expect(store.readTree(tree).map(({ name }) => name)).toEqual(listed);
    expect(complaints()).toBe('exit 0\n');
  });

  it('[STO-1] a commit is one for git, and reads back', () => {
    const batch = store.begin();
    const tree = batch.tree([]);
    const first = batch.commit({ tree, time: new Date('2026-01-02T03:04:05Z'), message: text('Überschrift\n\n{"kind":"manual"}\n') });
    const second = batch.commit({ tree, parents: [first], time: new Date(-5), message: text('second\n') });
    batch.flush();
    git(['update-ref', 'refs/retake/ops/x/1', second]);
    expect(git(['log', '--format=%aI %s', second]).toString()).toBe(
      '1970-01-01T00:00:00+00:00 second\n2026-01-02T03:04:05+00:00 Überschrift\n',
    );
    expect(store.readCommit(second)).toEqual({ tree, parents: [first], time: new Date(0), message: text('second\n') });
    expect(store.readCommit(first).message.toString()).toContain('Überschrift');
    expect(complaints()).toBe('exit 0\n');
  });

  it('[STO-1] a pack holds each object once, under its checksum, unwritable, and passes git verify-pack', () => {
    const batch = store.begin();
    for (const bytes of [...some(200), ...some(200)]) batch.blob(bytes);
    const written = batch.bytesAdded;
    batch.flush();
    const [index, pack] = packFiles() as [string, string];
    expect(pack).toBe(index.replace('.idx', '.pack'));
    const file = readFileSync(join(repository, 'objects/pack', pack));
    expect(pack).toBe(`pack-${file.subarray(-20).toString('hex')}.pack`);
    expect(createHash('sha1').update(file.subarray(0, -20)).digest()).toEqual(file.subarray(-20));
    expect(written).toBe(file.length - 12 - 20);
    expect(git(['verify-pack', '-v', join(repository, 'objects/pack', index)]).toString()).toContain('non delta: 200 objects');
    for (const name of packFiles()) expect(statSync(join(repository, 'objects/pack', name)).mode & 0o222).toBe(0);
  });

  it('bytesAdded counts what a flush wrote', () => {
    const batch = store.begin();
    const id = batch.blob(text('counted\n'));
    expect(batch.bytesAdded).toBe(0);
    batch.flush();
    expect(batch.bytesAdded).toBe(statSync(join(repository, 'objects', id.slice(0, 2), id.slice(2))).size);
  });

  it('the caller may reuse its buffer, and may change what it read', () => {
    const buffer = text('first\n');
    const batch = store.begin();
    const first = batch.blob(buffer);
    buffer.write('other\n');
    const other = batch.blob(buffer);
    batch.flush();
    store.readBlob(first).fill(0);
    expect(store.readBlob(first).toString()).toBe('first\n');
    expect(store.readBlob(other).toString()).toBe('other\n');
  });

  it.each([1, 100])('[STO-2] %i objects that are stored already, loose or packed, are not written again', (count) => {
    put(...some(count));
    const before = [...packFiles(), ...looseFiles()];
    for (const again of [store, open()]) {
      const batch = again.begin();
      for (const bytes of some(count)) batch.blob(bytes);
      batch.flush();
      expect(batch.bytesAdded).toBe(0);
    }
    expect([...packFiles(), ...looseFiles()]).toEqual(before);
  });

  it('[STO-2] loose objects are recognised in a batch that is too large for asking one by one', () => {
    const loose = some(60, 'loose');
    put(...loose);
    const batch = store.begin();
    for (const bytes of [...some(300), ...loose]) batch.blob(bytes);
    batch.flush();
    const [index] = packFiles() as [string];
    expect(git(['verify-pack', '-v', join(repository, 'objects/pack', index)]).toString()).toContain('non delta: 300 objects');
  });

  it('[REL-5] a loose object that was found whole once, and is damaged since, is written again', () => {
    const content = text('content');
    const [id = ''] = put(content);
    put(content);
    const file = join(repository, 'objects', id.slice(0, 2), id.slice(2));
    const bytes = readFileSync(file);
    rmSync(file);
    writeFileSync(
      file,
      bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)),
    );
    put(content);
    expect(open().readBlob(id as BlobId)).toEqual(content);
  });

  it('a batch goes on after a flush', () => {
    const batch = store.begin();
    const first = some(80, 'first').map((bytes) => batch.blob(bytes));
    batch.flush();
    const second = some(3, 'second').map((bytes) => batch.blob(bytes));
    batch.flush();
    expect([...first, ...second].every((id) => open().has(id))).toBe(true);
    expect(looseFiles()).toHaveLength(3);
  });

  it('durability `power` writes the same', () => {
    const synced: string[] = [];
    const powered = new ObjectStore(repository, { durability: 'power' });
    observeEffects(({ kind, path }) => void (kind === 'sync' && synced.push(path)));
    for (const count of [3, 100]) {
      const batch = powered.begin();
      for (const bytes of some(count, `power ${count}`)) batch.blob(bytes);
      batch.flush();
    }
    // Three loose files, a pack and its index, before they are named; and the directories that then hold the names.
    const [files, directories] = [true, false].map((isFile) => synced.filter((path) => path.includes('tmp_obj_') === isFile));
    expect(files).toHaveLength(3 + 2);
    expect(directories?.length).toBeGreaterThan(3);
    expect(complaints()).toBe('exit 0\n');
  });
});

describe('giving up', () => {
  it.each([3, 500])('[REL-3] a batch of %i objects that is abandoned leaves nothing, and is over', (count) => {
    const batch = store.begin();
    for (const bytes of [...some(count), Buffer.alloc(count * 1000)]) batch.blob(bytes);
    batch.abandon();
    batch.abandon();
    expect([...packFiles(), ...looseFiles(), ...strays()]).toEqual([]);
    expect(() => batch.blob(text('x'))).toThrow('abandoned');
    expect(() => batch.flush()).toThrow('abandoned');
  });

  it.each([3, 100])('[REL-3] disk full at any moment of writing %i objects: said so, no strays, what was there intact', (count) => {
    const old = put(...some(70, 'old'), ...some(2, 'older'));
    let countdown = 0;
    let failed = true;
    for (let moment = 0; failed; moment++) {
      failed = false;
      countdown = moment;
      observeEffects(() => {
        if (countdown-- > 0) return;
        failed = true;
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      });
      const batch = store.begin();
      let ids: ObjectId[] = [];
      let problem: unknown;
      try {
        ids = some(count, 'new').map((bytes) => batch.blob(bytes));
        batch.flush();
      } catch (error) {
        problem = error;
      }
      observeEffects(undefined);
      expect(strays()).toEqual([]);
      for (const id of old) store.read(id);
      if (failed) {
        expect(problem).toMatchObject({ code: 'no-space' });
        expect(() => batch.flush()).toThrow('failed before');
      } else {
        for (const id of ids) open().read(id);
      }
    }
    expect(complaints()).toBe('exit 0\n');
  });

  it('a directory that may not be written is reported with what to do', () => {
    rmSync(join(repository, 'objects'), { recursive: true });
    writeFileSync(join(repository, 'objects'), '');
    expect(() => put(text('x'))).toThrow();
    expect(() => store.read('0'.repeat(40) as ObjectId)).toThrow(RetakeError);
  });
});

describe('missing objects', () => {
  it.each(['0'.repeat(40), 'abc', '../../../etc/passwd', `${'a'.repeat(39)}A`, ''])('[REL-5] %j is reported by its id', (id) => {
    put(...some(100));
    expect(store.has(id as ObjectId)).toBe(false);
    for (const verb of ['read', 'readBlob', 'readTree', 'readCommit', 'size'] as const) {
      expect(() => store[verb](id as never)).toThrow(
        expect.objectContaining({ code: 'store-damaged', details: { id, problem: 'missing' } }),
      );
    }
  });

  it('an object of another type than asked for is damage, not an answer', () => {
    const [blob] = put(text('x')) as [BlobId];
    expect(() => store.readTree(blob as ObjectId as TreeId)).toThrow(
      expect.objectContaining({ details: { id: blob, problem: 'corrupt' } }),
    );
    expect(() => store.readCommit(blob)).toThrow('it is a blob where a commit is needed');
  });
});

describe('other processes', () => {
  const modulePath = join(import.meta.dirname, '../../src/store/objects/index.ts');
  const effectsPath = join(import.meta.dirname, '../../src/host/effects.ts');

  const child = (script: string): Promise<number | string> =>
    new Promise((resolve, reject) => {
      const source = `
        import { ObjectStore } from ${JSON.stringify(modulePath)};
        import { observeEffects } from ${JSON.stringify(effectsPath)};
        const store = new ObjectStore(${JSON.stringify(repository)}, { durability: 'process' });
        ${script}`;
      const started = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['ignore', 'ignore', 'inherit'] });
      started.on('error', reject);
      started.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });

  it('[REL-4] processes that write the same objects at once all succeed, and the objects are whole', async () => {
    const script = `
      for (let round = 0; round < 20; round++) for (const count of [5, 70]) {
        const batch = store.begin();
        const ids = Array.from({ length: count }, (_, number) => batch.blob(Buffer.from('round ' + round + ' ' + count + ' ' + number + '\\n')));
        batch.flush();
        for (const id of ids) store.read(id);
      }`;
    expect(await Promise.all([1, 2, 3, 4].map(() => child(script)))).toEqual([0, 0, 0, 0]);
    expect(strays()).toEqual([]);
    expect(complaints()).toBe('exit 0\n');
    expect(git(['cat-file', '--batch-all-objects', '--batch-check']).toString().trim().split('\n')).toHaveLength(20 * 75);
    for (let round = 0; round < 20; round++) {
      const batch = store.begin();
      for (const count of [5, 70]) for (let number = 0; number < count; number++) batch.blob(text(`round ${round} ${count} ${number}\n`));
      batch.flush();
      expect(batch.bytesAdded).toBe(0);
    }
  });

  it('[REL-2] killed before any effect on the disk, nothing stored is harmed and the next one writes the same', async () => {
    const old = put(...some(70, 'old'), ...some(2, 'older'));
    for (const count of [2, 66]) {
      let effects = 0;
      observeEffects(() => void effects++);
      const probe = mkdtempSync(join(tmpdir(), 'retake-objects-probe-'));
      mkdirSync(join(probe, 'objects/pack'), { recursive: true });
      const batch = new ObjectStore(probe, { durability: 'process' }).begin();
      for (const bytes of some(count, 'new')) batch.blob(bytes);
      batch.flush();
      observeEffects(undefined);
      rmSync(probe, { recursive: true });
      expect(effects).toBeGreaterThan(8);

      const ends = await Promise.all(
        Array.from({ length: effects }, (_, moment) =>
          child(`
            let left = ${moment};
            observeEffects(() => { if (left-- === 0) process.kill(process.pid, 'SIGKILL'); });
            const batch = store.begin();
            for (let number = 0; number < ${count}; number++) batch.blob(Buffer.from('new ' + number + '\\n'));
            batch.flush();`),
        ),
      );
      expect(ends).toContain('SIGKILL');
      for (const id of old) open().read(id);
      expect(complaints()).toBe('exit 0\n');
      for (const id of put(...some(count, 'new'))) open().read(id);
      expect(complaints()).toBe('exit 0\n');
    }
  });
});
