import { createHash } from 'node:crypto';
import { type ByteString, basename, fromBytes, join, parent, type RelativePath, ROOT } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import { below } from '../paths.ts';
import { readPlainFile } from '../plain-file.ts';
import type { UserRepository } from '../repository.ts';
import type { UserIndex } from '../staging/index-file.ts';
import { type AttributeRules, EVERYTHING, mayApply, parseAttributes } from './attribute-rules.ts';
import type { IgnoreSettings } from './settings.ts';

/**
 * What may stand between a file on disk and the blob that the index names for it.
 *
 * The attributes in force now don't tell which were when git last compared the two: a file checked out with `eol=crlf`
 * stays as it is when the next branch has no such line, and git goes on calling it unchanged. So there is no file whose
 * blob can be trusted by its attributes alone. Its size must speak too, and here is decided whether it can.
 */
export class Conversions {
  readonly #repository: UserRepository;
  readonly #index: UserIndex;
  /** The rules that reach into each directory asked about so far. */
  readonly #inForce = new Map<RelativePath, readonly AttributeRules[]>();
  readonly #everywhere: readonly AttributeRules[];

  private constructor(repository: UserRepository, index: UserIndex, everywhere: readonly AttributeRules[]) {
    this.#repository = repository;
    this.#index = index;
    this.#everywhere = everywhere;
  }

  static async read(repository: UserRepository, settings: IgnoreSettings, index: UserIndex): Promise<Conversions> {
    const files = [...(await systemAttributes(repository)), below(repository.commonDirectory, 'info/attributes')];
    if (settings.attributesFile !== null) files.push(settings.attributesFile);
    const everywhere = files.map(readRules).filter((rules) => rules !== null);
    // An index or configuration that can't be read leaves open which attributes git goes by.
    const blind = settings.attributesFromTree || settings.problem !== null || index.problem !== null;
    return new Conversions(repository, index, blind ? [EVERYTHING] : everywhere);
  }

  /** Whether a file of the same size as its blob in the index must have the same bytes. */
  sizeTells(path: RelativePath): boolean {
    const name = basename(path);
    return !this.#rulesIn(parent(path)).some((rules) => mayApply(rules, name));
  }

  #rulesIn(directory: RelativePath): readonly AttributeRules[] {
    const known = this.#inForce.get(directory);
    if (known !== undefined) return known;
    const outer = directory === ROOT ? this.#everywhere : this.#rulesIn(parent(directory));
    const own = outer.includes(EVERYTHING) ? null : this.#rulesOf(directory);
    const rules = own === null ? outer : [...outer, own];
    this.#inForce.set(directory, rules);
    return rules;
  }

  #rulesOf(directory: RelativePath): AttributeRules | null {
    const path = join(directory, '.gitattributes');
    const file = readPlainFile(below(this.#repository.top, path), { follow: false });
    const tracked = this.#index.has(path);
    if (file === 'absent' && !tracked) return null;
    if (typeof file === 'string') return EVERYTHING;
    // Checking out goes by the index, staging by the file: if they differ, either may have been at work.
    if (tracked && this.#index.entry(path)?.id !== blobId(file.bytes, this.#repository.objectFormat)) return EVERYTHING;
    return parseAttributes(fromBytes(file.bytes));
  }
}

const blobId = (bytes: Buffer, format: UserRepository['objectFormat']): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const readRules = (path: ByteString): AttributeRules | null => {
  const file = readPlainFile(path, { follow: true });
  if (file === 'absent') return null;
  return file === 'unreadable' ? EVERYTHING : parseAttributes(fromBytes(file.bytes));
};

/** Where gits before 2.41, which can't be asked, were built to look. */
const USUAL_SYSTEM_ATTRIBUTES = [
  '/etc',
  '/usr/etc',
  '/usr/local/etc',
  '/opt/homebrew/etc',
  '/opt/local/etc',
  '/home/linuxbrew/.linuxbrew/etc',
  '/Library/Developer/CommandLineTools/usr/share/git-core',
  '/Applications/Xcode.app/Contents/Developer/usr/share/git-core',
].map((directory) => below(directory as ByteString, 'gitattributes'));

const systemAttributes = async (repository: UserRepository): Promise<ByteString[]> => {
  const { code, stdout } = await askGit(repository.top, ['var', 'GIT_ATTR_SYSTEM'], [1, 128, 129]);
  return code === 0 ? [stdout.toString('latin1').trimEnd() as ByteString] : USUAL_SYSTEM_ATTRIBUTES;
};
