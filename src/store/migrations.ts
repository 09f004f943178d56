import { dirname, join } from 'node:path';
import { type Durability, effects, type GitVersion, readIfExists, replaceFile, syncPath } from '../host/index.ts';
import { FORMAT, readFormat, writeConfiguration } from './configuration.ts';

/** What a step works on. */
interface Migrated {
  /** The store's directory. */
  readonly directory: string;
  readonly git: GitVersion;
  readonly durability: Durability;
}

interface Migration {
  readonly from: number;
  /** Files of the store that the step changes; they are copied beforehand. */
  readonly changes: readonly string[];
  /** Its last effect is that the configuration names the next format: killed before that, all of it is done again. */
  readonly run: (migrated: Migrated) => void;
}

/** Format 2 has `prune` records, which readers of format 1 don't know. Nothing that was written before looks different. */
const from1To2: Migration = {
  from: 1,
  changes: ['config'],
  run: ({ directory, git, durability }) => writeConfiguration(directory, git, durability),
};

const MIGRATIONS: readonly Migration[] = [from1To2];

/** Brings an older store to the present format, step by step. What is changed is first copied to `backup-format-N` beside it. Needs the lock. */
export const migrate = (migrated: Migrated): void => {
  for (let format = readFormat(migrated.directory); format < FORMAT; format = readFormat(migrated.directory)) {
    const step = MIGRATIONS.find(({ from }) => from === format);
    if (step === undefined) throw new Error(`nothing leads from format ${format} to ${format + 1}`);
    backUp(step, migrated);
    step.run(migrated);
  }
};

const backUp = ({ from, changes }: Migration, { directory, durability }: Migrated): void => {
  const backup = join(dirname(directory), `backup-format-${from}`);
  effects.makeDirectories(backup);
  for (const name of changes) {
    const bytes = readIfExists(join(directory, name));
    if (bytes !== undefined) replaceFile(join(backup, name), bytes, { durability });
  }
  if (durability === 'power') syncPath(dirname(directory));
};
