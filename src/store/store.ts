import { dirname, join } from 'node:path';
import { type Durability, effects, exists, type GitVersion, readIfExists, replaceFile, syncPath } from '../host/index.ts';
import { RetakeError } from '../model/index.ts';
import { Ledger } from './ledger.ts';
import { ObjectStore } from './objects/index.ts';
import { OperationLog } from './operation-log.ts';
import { Refs } from './refs.ts';

const FORMAT = 1;

/** The private bare git repository of one workspace. */
export class Store {
  readonly directory: string;
  readonly objects: ObjectStore;
  readonly refs: Refs;
  readonly log: OperationLog;

  private constructor(directory: string, durability: Durability) {
    this.directory = directory;
    this.objects = new ObjectStore(directory, { durability });
    this.refs = new Refs(directory, durability);
    this.log = new OperationLog(this.objects, this.refs, new Ledger(join(directory, 'retake-ledger'), durability));
  }

  static open(directory: string, durability: Durability): Store {
    const config = readIfExists(join(directory, 'config'))?.toString() ?? '';
    const format = Number(/^\s*format = (\d+)$/m.exec(config)?.[1] ?? 0);
    if (format > FORMAT) {
      throw new RetakeError(
        'store-newer',
        `The store ${directory} was written by a newer Retake (format ${format}, this one reads ${FORMAT})`,
        {
          hint: 'Update Retake; nothing was changed.',
        },
      );
    }
    if (format === 0) {
      throw new RetakeError('store-damaged', `The store ${directory} has lost its configuration`, {
        hint: `Restore the file ${join(directory, 'config')}, or move the folder away to begin anew.`,
      });
    }
    return new Store(directory, durability);
  }

  /** Makes the repository whole beside its place and moves it there, so that half a store is never seen. Needs the lock. */
  static create(directory: string, git: GitVersion, durability: Durability): void {
    if (exists(directory)) return;
    const made = `${directory}.new`;
    effects.removeTree(made);
    for (const path of ['objects/pack', 'objects/info', 'refs/heads', 'refs/retake/ops']) effects.makeDirectories(join(made, path));
    replaceFile(join(made, 'HEAD'), Buffer.from('ref: refs/heads/last\n'), { durability });
    replaceFile(join(made, 'config'), Buffer.from(configuration(git)), { durability });
    effects.rename(made, directory);
    if (durability === 'power') syncPath(dirname(directory));
  }
}

/** Names and contents that users may have and that fsck dislikes, with the git version that knows each check. */
const TOLERATED: readonly { readonly since: GitVersion; readonly checks: readonly string[] }[] = [
  {
    since: [2, 25, 0],
    checks: [
      'hasDotgit',
      ...['Blob', 'Large', 'Missing', 'Name', 'Parse', 'Path', 'Symlink', 'Update', 'Url'].map((check) => `gitmodules${check}`),
    ],
  },
  { since: [2, 32, 0], checks: ['gitattributesSymlink', 'gitignoreSymlink', 'mailmapSymlink'] },
  { since: [2, 39, 1], checks: ['gitattributesBlob', 'gitattributesLarge', 'gitattributesLineLength', 'gitattributesMissing'] },
];

const configuration = (git: GitVersion): string =>
  [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = true',
    '\tlogAllRefUpdates = false',
    '[gc]',
    '\tauto = 0',
    '[fsck]',
    ...TOLERATED.filter(({ since }) => !isOlder(git, since)).flatMap(({ checks }) => checks.map((check) => `\t${check} = ignore`)),
    '[retake]',
    `\tformat = ${FORMAT}`,
    '',
  ].join('\n');

const isOlder = (a: GitVersion, b: GitVersion): boolean => (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) < 0;
