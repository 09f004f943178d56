import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importSession, readLog } from '../../src/engine/index.ts';
import { RetakeError } from '../../src/model/index.ts';
import { Stage, stage } from '../attribution/stage.ts';
import { type Oracle, observeDirectory } from '../support/oracle.ts';
import fc from '../support/property.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { exportOf } from './exported.ts';
import { Forge, tarOf } from './forged.ts';
import { EVIL, step } from './forgeries.ts';

const LONG = 1_800_000;

/** A small session with a rewind, and the file that it is in. */
const smallExport = async (): Promise<string> => {
  const at = await stage((root) => put(root, 'a.txt', 'one\n', 0o600));
  const actor = at.actor('s');
  await actor.start();
  const prompt = await actor.prompt('first');
  await actor.step(() => put(at.root, 'sub/b.txt', 'two\n'));
  await at.rewind(prompt.id);
  return exportOf(at, 's');
};

/** Another workspace with a past of its own. */
const elsewhere = async (): Promise<Stage> => {
  const at = await Stage.open(temporaryDirectory(), (root) => put(root, 'own.txt', 'mine\n'));
  const actor = at.actor('own');
  await actor.start();
  await actor.prompt('hello');
  await actor.step(() => put(at.root, 'own.txt', 'changed\n'));
  return at;
};

/** All that an import could change: the data of the workspace but for the index, which only follows, and the workspace itself. */
const everything = ({ workspace, root }: Stage): Oracle =>
  new Map([...observeDirectory(workspace.data, { without: (path) => /^(index\.db|lock)/.test(path) }), ...observeDirectory(root)]);

const refusalOf = async (at: Stage, file: string): Promise<string> => {
  try {
    await importSession(at.workspace, { file, directory: '/' });
  } catch (error) {
    if (!(error instanceof RetakeError)) throw error;
    expect(error.code, error.message).toBe('bad-export');
    return error.message;
  }
  return 'it was imported';
};

const expectRefused = async (at: Stage, file: string, why: RegExp, what?: string): Promise<void> => {
  const before = everything(at);
  const operations = readLog(at.workspace);
  expect(await refusalOf(at, file), what).toMatch(why);
  expect(everything(at), what).toEqual(before);
  expect(readLog(at.workspace), what).toEqual(operations);
};

test('[STO-4] [REL-6] a file that is cut short, garbage, or holds other things than an export is refused, and nothing changes', {
  timeout: LONG,
}, async () => {
  const file = await smallExport();
  const bytes = readFileSync(file);
  const at = await elsewhere();
  const spoiled = join(dirname(file), 'spoiled.tar');
  for (const length of [0, 1, 511, 512, 700, 1024, 5000, bytes.length - 600, bytes.length - 1025]) {
    writeFileSync(spoiled, bytes);
    truncateSync(spoiled, length);
    await expectRefused(at, spoiled, /cut short/, `${length} bytes`);
  }
  writeFileSync(spoiled, Buffer.alloc(20_000, 'garbage'));
  await expectRefused(at, spoiled, /no tar archive/);
  writeFileSync(spoiled, Buffer.alloc(20_000));
  await expectRefused(at, spoiled, /it has no manifest/);
  await expectRefused(at, tarOf({ 'evil.txt': 'x' }, '--transform=s,evil,../../evil,'), /which no export does/);
  await expectRefused(at, tarOf({ 'evil.txt': 'x' }, '-P', '--transform=s,evil,/tmp/evil,'), /which no export does/);
  await expectRefused(at, tarOf({ x: 'x' }, '--transform=s,x,conversation/session/subagents/../../../x.jsonl,'), /which no export does/);
  await expectRefused(at, tarOf({ 'README.txt': 'x', 'manifest.json': '{}' }), /does not say what it is/);
  await expectRefused(
    at,
    tarOf({ 'README.txt': 'x', 'manifest.json': '{"__proto__":{},"what":"retake session","format":1}' }),
    /does not say what it is/,
  );
  await expectRefused(at, tarOf({ 'manifest.json': '{"what":"retake session","format":2}' }), /newer Retake/);
  // A size of nearly nine million terabytes, with a right checksum.
  const huge = Buffer.from(bytes);
  huge.fill(0, 124, 136);
  huge.writeUInt8(0x80, 124);
  huge.writeBigUInt64BE(2n ** 52n, 128);
  await expectRefused(at, written(spoiled, withChecksum(huge)), /cut short/);
  huge.writeBigUInt64BE(2n ** 63n, 128);
  await expectRefused(at, written(spoiled, withChecksum(huge)), /impossible size/);
  const link = Buffer.from(bytes);
  link.write('2', 156);
  await expectRefused(at, written(spoiled, withChecksum(link)), /other than plain files/);
  at.workspace.close();
});

const written = (path: string, bytes: Buffer): string => {
  writeFileSync(path, bytes);
  return path;
};

const withChecksum = (tar: Buffer): Buffer => {
  tar.write('        ', 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return tar;
};

test('[STO-4] [REL-6] a file with any bytes changed is refused, or the change was where nothing is', { timeout: LONG }, async () => {
  const file = await smallExport();
  const bytes = readFileSync(file);
  const at = await elsewhere();
  const spoiled = join(dirname(file), 'spoiled.tar');
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const other = Buffer.from(bytes);
      other[place] = (other[place] as number) ^ change;
      fc.pre(!isPadding(bytes, place));
      await expectRefused(at, written(spoiled, other), /can not be imported/, `byte ${place}`);
    }),
    { numRuns: 150 },
  );
  at.workspace.close();
});

/** Behind the digits of a checksum; after the content of a member, or of the archive; and in the manifest, what is only told to people. */
const isPadding = (bytes: Buffer, place: number): boolean => {
  for (let at = 0; at < bytes.length; ) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    if (Number.isNaN(size)) return true;
    const [end, next] = [at + 512 + size, at + 512 + Math.ceil(size / 512) * 512];
    const isBehindSum = place === at + 154 || place === at + 155;
    if (place < next) return isBehindSum || place >= end || bytes.toString('latin1', at, at + 8) === 'manifest';
    at = next;
  }
  return true;
};

test('[STO-4] [REL-6] whoever forges an export, hashes and all, is found out before anything is recorded', { timeout: LONG }, async () => {
  const file = await smallExport();
  const at = await elsewhere();
  for (const [what, forge, why] of EVIL) {
    const made = new Forge(file);
    forge(made);
    await expectRefused(at, await made.file(), why, what);
  }
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
  at.workspace.close();
});

test('[STO-4] [REL-6] what names records of this workspace does nothing to them', { timeout: LONG }, async () => {
  const file = await smallExport();
  const at = await elsewhere();
  const own = readLog(at.workspace);
  const victim = own[0]?.operation.id;
  const forge = new Forge(file);
  const empty = '';
  const common = { session: 's', createdAt: new Date(0).toISOString(), description: 'evil', target: victim };
  const evil = [
    { kind: 'delete' },
    { kind: 'note', note: 'evil' },
    { kind: 'pin', pinned: true },
    { kind: 'branch', branch: 'x', commit: '0'.repeat(40) },
  ];
  for (const [at, what] of evil.entries())
    forge.operations.push({ ref: `refs/retake/ops/s/000000090${at}`, operation: { sequence: 900 + at, ...common, ...what }, tree: empty });
  step(forge).operation.event.conversation = { transcript: '/etc/passwd', directory: '/etc' };
  step(forge).operation.previous = victim;
  forge.find('rollback').operation.safety = victim;
  const { operations } = await importSession(at.workspace, { file: await forge.file(), directory: '/' });
  expect(operations).toBe(forge.operations.length);
  const after = readLog(at.workspace);
  expect(after.filter(({ operation }) => operation.imported === undefined)).toEqual(own);
  expect(JSON.stringify(after.map(({ operation }) => operation).filter(({ imported }) => imported))).not.toContain(victim);
  expect(JSON.stringify(after)).not.toContain('/etc');
  at.workspace.close();
});
