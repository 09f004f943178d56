import { join } from 'node:path';
import { type Durability, type GitVersion, readIfExists, replaceFile } from '../host/index.ts';

/** The format that this version writes. */
export const FORMAT = 2;

/** What a store's configuration says its format is; 0 when that can't be read. */
export const readFormat = (directory: string): number =>
  Number(/^\s*format = (\d+)$/m.exec(readIfExists(configPath(directory))?.toString() ?? '')?.[1] ?? 0);

export const writeConfiguration = (directory: string, git: GitVersion, durability: Durability): void =>
  replaceFile(configPath(directory), Buffer.from(configuration(git, FORMAT)), { durability });

/** Whether the configuration is as some version of Retake wrote it, beside some version of git. */
export const isConfigurationWhole = (directory: string): boolean => {
  const found = readIfExists(configPath(directory))?.toString();
  const format = readFormat(directory);
  return format > 0 && format <= FORMAT && TOLERATED.some(({ since }) => configuration(since, format) === found);
};

const configPath = (directory: string): string => join(directory, 'config');

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

const configuration = (git: GitVersion, format: number): string =>
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
    `\tformat = ${format}`,
    '',
  ].join('\n');

const isOlder = (a: GitVersion, b: GitVersion): boolean => (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) < 0;
