import type { Forge, Forgery } from './forged.ts';

type Evil = readonly [what: string, forge: (forge: Forge) => void, why: RegExp];

/** What is forged most: a record of a step. */
export const step = (forge: Forge): Forgery => forge.find('after-step');

const withEntry = (forgery: Forgery, line: string): void => {
  forgery.tree += `${line}\n`;
};

const withFiles = (forge: Forge, entries: readonly { mode: string; name: string; id: string }[]): void => {
  const forgery = step(forge);
  forgery.tree = forgery.tree.replace(/tree [0-9a-f]{40}\tfiles/, `tree ${forge.rawTree(entries)}\tfiles`);
};

const ABSENT = '1234567890'.repeat(4);

/** What may be wrong with an export that is consistent otherwise, and why it is refused. */
export const EVIL: readonly Evil[] = [
  [
    'another ref',
    (forge) => void forge.moreRefs.set('refs/heads/last', forge.git(undefined, 'rev-parse', forge.operations[0]?.ref ?? '').trim()),
    /other than operations/,
  ],
  ['a ref that leads out', (forge) => void forge.moreRefs.set('refs/retake/ops/../../../x/0000000001', ABSENT), /other than operations/],
  ['a ref without an object', (forge) => void forge.moreRefs.set('refs/retake/ops/s/0000009999', ABSENT), /missing/],
  ['no operations', (forge) => void forge.operations.splice(0), /no operations/],
  [
    'a spoiled pack',
    (forge) => {
      forge.spoil = (pack) => Buffer.concat([pack.subarray(0, 40), Buffer.from('x'), pack.subarray(41)]);
    },
    /bundle is damaged/,
  ],
  [
    'half a pack',
    (forge) => {
      forge.spoil = (pack) => pack.subarray(0, pack.length >> 1);
    },
    /bundle is damaged/,
  ],
  [
    'a ref that says another number',
    (forge) => {
      step(forge).ref = 'refs/retake/ops/s/0000000777';
    },
    /is not what/,
  ],
  [
    'a ref that says another session',
    (forge) => {
      step(forge).ref = step(forge).ref.replace('/s/', '/other/');
    },
    /is not what/,
  ],
  [
    '__proto__',
    (forge) => {
      forge.spell = (json) => json.replace('{', '{"__proto__":{"polluted":true},');
    },
    /no operation/,
  ],
  [
    '__proto__ deep inside',
    (forge) => {
      forge.spell = (json) => json.replace('"place":{', '"place":{"__proto__":{"tool":"x"},');
    },
    /no operation/,
  ],
  [
    'an unknown kind',
    (forge) => {
      step(forge).operation.kind = 'format-disk';
    },
    /no operation/,
  ],
  [
    'a kind that is a word of the language',
    (forge) => {
      step(forge).operation.kind = 'constructor';
    },
    /no operation/,
  ],
  [
    'a huge number',
    (forge) => {
      forge.spell = (json) => json.replace(/"turn":\d+/, '"turn":1e300');
    },
    /no operation/,
  ],
  [
    'a negative number',
    (forge) => {
      step(forge).operation.event.began = -1;
    },
    /no operation/,
  ],
  [
    'a time that is none',
    (forge) => {
      step(forge).operation.createdAt = 'yesterday';
    },
    /no operation/,
  ],
  [
    'an id that is none',
    (forge) => {
      step(forge).operation.previous = '../../x';
    },
    /no operation/,
  ],
  [
    'a path that leads out',
    (forge) => {
      step(forge).operation.event.touches = ['../x'];
    },
    /no operation/,
  ],
  [
    'not JSON',
    (forge) => {
      forge.spell = () => 'not JSON';
    },
    /no operation/,
  ],
  [
    'JSON without end',
    (forge) => {
      forge.spell = () => '['.repeat(100_000);
    },
    /no operation/,
  ],
  [
    'a branch that git takes for an option',
    (forge) => {
      step(forge).operation.head = { branch: '--upload-pack=evil', commit: null };
    },
    /no operation/,
  ],
  [
    'a commit that is none',
    (forge) => {
      step(forge).operation.head = { branch: 'main', commit: 'HEAD' };
    },
    /no operation/,
  ],
  [
    'a session that it is not about',
    (forge) => {
      forge.manifest.session = 'nobody';
    },
    /nothing of the session/,
  ],
  [
    'a tree with a part that is none',
    (forge) => withEntry(step(forge), `100644 blob ${forge.blob('x')}\tzzz`),
    /something else than it should/,
  ],
  [
    'a note with content',
    (forge) => {
      const forgery = step(forge);
      forgery.operation = { ...forgery.operation, kind: 'note', target: ABSENT, note: 'x' };
    },
    /something else than it should/,
  ],
  ['a plan of a checkpoint', (forge) => withEntry(step(forge), `100644 blob ${forge.blob('[]')}\tplan`), /has no plan/],
  [
    'a rollback whose plan leads out',
    (forge) => {
      const forgery = forge.find('rollback');
      const plan = JSON.stringify([{ type: 'delete', path: '../../x', from: null, to: null }]);
      forgery.tree = forgery.tree.replace(/[0-9a-f]{40}\tplan/, `${forge.blob(plan)}\tplan`);
    },
    /plans can not be read/,
  ],
  [
    'a manifest that is none',
    (forge) => {
      const forgery = step(forge);
      forgery.tree = forgery.tree.replace(/[0-9a-f]{40}\tmanifest/, `${forge.blob('{}')}\tmanifest`);
    },
    /what was left out/,
  ],
  [
    'permissions that are none',
    (forge) => {
      const meta = forge.git(`100644 blob ${forge.blob('permissions 99999 a.txt\n')}\tmeta\n`, 'mktree').trim();
      step(forge).tree = step(forge).tree.replace(/[0-9a-f]{40}\tmeta/, `${meta}\tmeta`);
    },
    /permissions/,
  ],
  ['a name that leads out', (forge) => withFiles(forge, [{ mode: '100644', name: '..', id: forge.blob('x') }]), /a name that no file has/],
  [
    'a name with a slash',
    (forge) => withFiles(forge, [{ mode: '100644', name: 'a/../../b', id: forge.blob('x') }]),
    /a name that no file has/,
  ],
  ['a .git', (forge) => withFiles(forge, [{ mode: '100644', name: '.git', id: forge.blob('gitdir: /') }]), /\.git/],
  ['a submodule', (forge) => withFiles(forge, [{ mode: '160000', name: 'module', id: ABSENT }]), /other than files/],
  [
    'a name twice',
    (forge) =>
      withFiles(
        forge,
        ['x', 'y'].map((text) => ({ mode: '100644', name: 'same', id: forge.blob(text) })),
      ),
    /twice/,
  ],
  ['a file that is missing', (forge) => withFiles(forge, [{ mode: '100644', name: 'gone', id: ABSENT }]), /missing/],
  ['a folder that is a file', (forge) => withFiles(forge, [{ mode: '40000', name: 'folder', id: forge.blob('x') }]), /damaged/],
  [
    'a file outside that it does not hold',
    (forge) => {
      step(forge).operation.outside = [{ path: '/etc/passwd', content: { blob: ABSENT, permissions: 0o644 } }];
    },
    /outside/,
  ],
];
