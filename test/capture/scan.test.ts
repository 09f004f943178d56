import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  captureWorkspace,
  type Dirty,
  EVERYTHING,
  type LoadedSnapshot,
  loadSnapshot,
  type Snapshot,
  saveSnapshot,
  scan,
} from '../../src/capture/index.ts';
import { readGitContext } from '../../src/engine/core/git-context.ts';
import { fromText, type OperationId } from '../../src/model/index.ts';
import { Store } from '../../src/store/index.ts';
import fc from '../support/property.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DIRECTORIES = Array.from({ length: 150 }, (_, index) => `d${index % 10}/e${index}`);

type Edit = 'append' | 'create' | 'delete' | 'chmod' | 'chmod-directory' | 'remove-directory' | 'link' | 'rules' | 'same-size';

const edit = (root: string, directory: string, what: Edit): void => {
  const at = join(root, directory);
  mkdirSync(at, { recursive: true });
  if (what === 'append') appendFileSync(join(at, 'f1'), 'more');
  else if (what === 'create') writeFileSync(join(at, 'new'), 'new');
  else if (what === 'delete') rmSync(join(at, 'f2'), { force: true });
  else if (what === 'chmod') writeFileSync(join(at, 'f3'), 'x', { mode: 0o600 });
  else if (what === 'chmod-directory') chmodSync(at, 0o711);
  else if (what === 'remove-directory') rmSync(at, { recursive: true });
  else if (what === 'link') symlinkSync('nowhere', join(at, `link-${Math.random()}`));
  else if (what === 'rules') writeFileSync(join(at, '../.gitignore'), 'f1\n');
  else writeFileSync(join(at, 'f0'), 'CONTENT f0');
};

test('[CAP-1] [PRF-2] a scan on two threads finds what a walk over everything finds', async () => {
  const root = temporaryDirectory();
  const data = temporaryDirectory();
  for (const directory of DIRECTORIES) {
    mkdirSync(join(root, directory), { recursive: true });
    for (let number = 0; number < 6; number++) writeFileSync(join(root, directory, `f${number}`), `content f${number}`);
  }
  Store.create(join(data, 'store.git'), [2, 39, 0], 'process');
  const store = Store.open(join(data, 'store.git'), 'process');
  const { gitContext } = await readGitContext(fromText(root));
  const capture = (previous: Snapshot | undefined, dirty: Dirty): Snapshot => {
    const batch = store.objects.begin();
    const limits = { maxFileBytes: 1e6, maxFiles: 1e6, maxTotalBytes: 1e9 };
    const request = {
      root: fromText(root),
      previous,
      dirty,
      gitContext,
      include: [],
      exclude: [],
      named: [],
      leaveOut: new Set<never>(),
      limits,
    };
    const { snapshot } = captureWorkspace(request, batch);
    batch.flush();
    return snapshot;
  };
  const saved = join(data, 'snapshot');
  const save = (snapshot: Snapshot): Snapshot => {
    saveSnapshot(saved, snapshot, '0'.repeat(40) as OperationId, 'process');
    return (loadSnapshot(saved, () => true) as LoadedSnapshot).snapshot;
  };
  let previous = save(capture(undefined, EVERYTHING));
  // Old enough that the times of files and directories count.
  await sleep(120);
  previous = save(capture(previous, EVERYTHING));
  expect(scan(fromText(root), previous, 0).at('d0/e0' as never)).toBe('no');

  const edits = fc.array(
    fc.tuple(
      fc.constantFrom(...DIRECTORIES),
      fc.constantFrom<Edit[]>('append', 'create', 'delete', 'chmod', 'chmod-directory', 'remove-directory', 'link', 'rules', 'same-size'),
    ),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      for (const [directory, what] of list) edit(root, directory, what);
      const dirty = scan(fromText(root), previous, 0);
      expect(dirty).not.toBe(EVERYTHING);
      const found = capture(previous, dirty);
      expect(found.state).toEqual(capture(undefined, EVERYTHING).state);
      expect([...found.records.keys()].sort()).toEqual([...capture(previous, EVERYTHING).records.keys()].sort());
      previous = save(found);
    }),
    { numRuns: 60 },
  );
});
