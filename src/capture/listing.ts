import type { ByteString, Omission, RelativePath } from '../model/index.ts';
import type { Entry } from './record.ts';

/** One directory's names, and what comes of them while they are captured. */
export class Listing {
  readonly directory: RelativePath;
  readonly names: readonly ByteString[];
  /** Made because something vanished during the first one. */
  readonly again: boolean;
  readonly entries: Entry[] = [];
  readonly omissions: Omission[] = [];
  readonly hasGit: boolean;
  readonly hasRules: boolean;
  /** Some entry is ignored by a rule. */
  sensitive = false;

  constructor(directory: RelativePath, names: readonly ByteString[] | 'unreadable', again: boolean) {
    this.directory = directory;
    this.names = names === 'unreadable' ? [] : names;
    this.again = again;
    if (names === 'unreadable') this.omissions.push({ path: directory, reason: 'unreadable' });
    this.hasGit = this.names.includes('.git' as ByteString);
    this.hasRules = this.names.includes('.gitignore' as ByteString);
  }
}
