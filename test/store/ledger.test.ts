import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decodeEvent } from '../../src/agents/index.ts';
import { recordEvent, Workspace } from '../../src/engine/index.ts';
import { observeEffects } from '../../src/host/effects.ts';
import { Store } from '../../src/store/index.ts';
import { Conversation, operationsIn } from '../daemon/claude-code.ts';
import { fsck } from '../support/private-store.ts';
import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LEDGER = 'retake-ledger';

interface Ground {
  readonly workspace: Workspace;
  readonly store: string;
  /** Records a prompt; it is in the ledger until somebody looks. */
  readonly record: (prompt: string) => Promise<void>;
}

/** A workspace with one prompt recorded and in its place. */
const ground = async (): Promise<Ground> => {
  const home = temporaryDirectory();
  vi.stubEnv('HOME', home);
  vi.stubEnv('RETAKE_HOME', join(home, 'retake'));
  const directory = temporaryDirectory();
  const workspace = await Workspace.open({ directory });
  onTestFinished(() => {
    workspace.close();
    vi.unstubAllEnvs();
  });
  workspace.defersWork = true;
  const talk = new Conversation('s', directory);
  const record = async (prompt: string): Promise<void> => {
    put(directory, `files/${prompt}`, prompt);
    const event = decodeEvent('claude-code', talk.prompt(prompt, prompt));
    if (event !== null) await recordEvent(workspace, event);
  };
  await record('one');
  await workspace.flush();
  return { workspace, store: workspace.storePath, record };
};

/** Copies of the store, each with a ledger of its own. */
const copier = (store: string): ((ledger: Uint8Array) => string) => {
  const at = join(temporaryDirectory(), 'store.git');
  return (ledger) => {
    rmSync(at, { recursive: true, force: true });
    cpSync(store, at, { recursive: true });
    writeFileSync(join(at, LEDGER), ledger);
    return at;
  };
};

const catchUp = (directory: string): string[] => {
  const store = Store.open(directory, 'process');
  try {
    store.log.beginTurn();
    store.log.heal();
    store.log.endTurn();
    return store.log.since(0).operations.map(({ description }) => description);
  } finally {
    store.objects.close();
  }
};

const expectSound = (directory: string, descriptions: readonly string[]): void => {
  expect(operationsIn(directory).map(({ description }) => description)).toEqual(descriptions);
  expect(fsck(directory)).toEqual({ code: 0, alarms: [] });
};

test('[REL-2] a ledger cut at any byte of its entry: what was there before is there, and the ledger is empty', async () => {
  const { store, record } = await ground();
  await record('two');
  const whole = readFileSync(join(store, LEDGER));
  const copy = copier(store);
  for (let length = 0; length <= whole.length; length++) {
    const at = copy(whole.subarray(0, length));
    const expected = length < whole.length ? ['one'] : ['one', 'two'];
    expect(catchUp(at), `cut after ${length} of ${whole.length} bytes`).toEqual(expected);
    expect(readFileSync(join(at, LEDGER))).toHaveLength(0);
    if (length % 100 === 0 || length === whole.length) expectSound(at, expected);
  }
});

test('[REL-2] of several entries all are kept that are whole', async () => {
  const { store, record } = await ground();
  await record('two');
  const two = readFileSync(join(store, LEDGER));
  await record('three');
  const three = readFileSync(join(store, LEDGER));
  // As if the second had never been put in its place.
  const copy = copier(store);
  for (let length = 0; length < three.length; length += 7) {
    const at = copy(Buffer.concat([two, three.subarray(0, length)]));
    expect(catchUp(at)).toEqual(['one', 'two']);
  }
  const at = copy(Buffer.concat([two, three]));
  expect(catchUp(at)).toEqual(['one', 'two', 'three']);
  expectSound(at, ['one', 'two', 'three']);
});

const header = (length: number, crc: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(crc, 4);
  return bytes;
};

const GARBAGE: Readonly<Record<string, Buffer>> = {
  'one byte': Buffer.from([1]),
  text: Buffer.from('not an entry at all, but longer than its header\n'),
  // What some file systems leave of a file after a power cut.
  'a few zeros': Buffer.alloc(8),
  'many zeros': Buffer.alloc(5000),
  'a header without end': Buffer.concat([header(0xffffffff, 0), Buffer.from('x')]),
  'a header without content': header(0, 0),
  'an entry too short for one': Buffer.concat([header(2, crc32(Buffer.alloc(2))), Buffer.alloc(2)]),
};

test.each(Object.entries(GARBAGE))('[REL-2] [REL-6] garbage in the ledger, before and after an entry: %s', async (_, garbage) => {
  const { store, record } = await ground();
  await record('two');
  const whole = readFileSync(join(store, LEDGER));
  const copy = copier(store);
  let at = copy(Buffer.concat([whole, garbage]));
  expect(catchUp(at)).toEqual(['one', 'two']);
  expectSound(at, ['one', 'two']);
  at = copy(garbage);
  expect(catchUp(at)).toEqual(['one']);
  expectSound(at, ['one']);
  expect(readFileSync(join(at, LEDGER))).toHaveLength(0);
});

test('[REL-2] any byte of an entry changed: it is not taken for what it was', async () => {
  const { store, record } = await ground();
  await record('two');
  const whole = readFileSync(join(store, LEDGER));
  const copy = copier(store);
  for (let index = 0; index < whole.length; index += 3) {
    const damaged = Buffer.from(whole);
    damaged[index] = (damaged[index] as number) ^ 0x04;
    expect(catchUp(copy(damaged)), `byte ${index}`).toEqual(['one']);
  }
});

test('[REL-2] an entry that is in its place already is put there again, and nothing is doubled', async () => {
  const { workspace, store, record } = await ground();
  await record('two');
  const whole = readFileSync(join(store, LEDGER));
  await workspace.flush();
  const at = copier(store)(whole);
  expect(catchUp(at)).toEqual(['one', 'two']);
  expectSound(at, ['one', 'two']);
});

test('[REL-2] an entry from before other operations takes none of them away', async () => {
  const { workspace, store, record } = await ground();
  await record('two');
  const whole = readFileSync(join(store, LEDGER));
  await record('three');
  await workspace.flush();
  writeFileSync(join(store, LEDGER), whole);
  await record('four');
  await workspace.flush();
  expectSound(store, ['one', 'two', 'three', 'four']);
});

test('[REL-2] what a writer left torn is no obstacle for the next entry', async () => {
  const { workspace, store, record } = await ground();
  await record('two');
  truncateSync(join(store, LEDGER), 40);
  await record('three');
  appendFileSync(join(store, LEDGER), 'torn');
  await record('four');
  await workspace.flush();
  // The second was torn by us, not by its writer: nobody can know of it.
  expect(operationsIn(store).map(({ description }) => description)).toEqual(expect.arrayContaining(['one', 'three', 'four']));
  expect(fsck(store)).toEqual({ code: 0, alarms: [] });
});

test('[REL-2] with durability power what is written down is on disk before it is reported, and so is that it was cleared', async () => {
  vi.stubEnv('RETAKE_DURABILITY', 'power');
  const { workspace, store, record } = await ground();
  const ledger = join(store, LEDGER);
  const done: string[] = [];
  observeEffects(({ kind, path }) => void (path === ledger && done.push(kind)));
  onTestFinished(() => observeEffects(undefined));
  await record('two');
  expect(done).toContain('write');
  expect(done.at(-1)).toBe('sync');
  done.length = 0;
  await workspace.flush();
  expect(done).toEqual(['truncate', 'sync']);
});
