import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const OWNERS = ['a', 'b', 'me'] as const;
/** Two agents and the person. */
export type Owner = (typeof OWNERS)[number];

/** What somebody wants to do; where that is not possible nothing happens. */
export interface PendingLoad {
  readonly file: number;
  readonly kind: 'insert' | 'change' | 'delete' | 'create' | 'remove';
  /** Whose lines: their own, unless they meddle. */
  readonly meddles: Owner | null;
  readonly line: number;
}

/** What was done, told so that it can be done again without what others did elsewhere. */
type Edit = { readonly owner: Owner; readonly file: string } & (
  | { readonly kind: 'insert'; readonly region: Owner; readonly after: string; readonly line: string }
  | { readonly kind: 'change'; readonly region: Owner; readonly old: string; readonly line: string }
  | { readonly kind: 'delete'; readonly region: Owner; readonly old: string }
  | { readonly kind: 'create'; readonly line: string }
  | { readonly kind: 'remove'; readonly lines: readonly string[] }
);

type Files = Map<string, string[]>;

const NAMES = ['f', 'g', 'd/h'];

/** Each owner's lines stand between lines that nobody changes; each line is there once. */
const regionLines = (file: string, owner: Owner): string[] => [1, 2, 3, 4].map((at) => `${file} ${owner} ${at}`);
const above = (file: string, owner: Owner): string => `${file} above ${owner}`;
const START = (): Files =>
  new Map(
    NAMES.map((file) => [
      file,
      [...OWNERS.flatMap((owner) => [`${file} -`, above(file, owner), ...regionLines(file, owner), `${file} below ${owner}`])],
    ]),
  );

/** Files whose every line has an owner, and all that was ever done to them. */
export class OwnedFiles {
  readonly #files = START();
  readonly #edits: Edit[] = [];
  #count = 0;

  writeTo(root: string): void {
    for (const [file, lines] of this.#files) writeFileSync(join(root, file), textOf(lines));
  }

  /** The names that there are, or may be made. */
  static fileAt(number: number): string {
    return NAMES[number % NAMES.length] as string;
  }

  do(root: string, owner: Owner, { kind, meddles, line: at, file: number }: PendingLoad, file = OwnedFiles.fileAt(number)): void {
    const region = meddles ?? owner;
    const line = `${owner} wrote ${++this.#count}`;
    const lines = this.#files.get(file);
    const own = lines === undefined ? [] : this.#regionOf(file, lines, region);
    const old = own[at % Math.max(own.length, 1)];
    if (kind === 'create' && lines === undefined) this.#edit({ owner, file, kind, line });
    else if (lines === undefined) return;
    else if (kind === 'remove') this.#edit({ owner, file, kind, lines });
    else if (kind === 'insert' && lines.includes(above(file, region)))
      this.#edit({ owner, file, kind, region, after: [above(file, region), ...own][at % (own.length + 1)] as string, line });
    else if (kind === 'change' && old !== undefined) this.#edit({ owner, file, kind, region, old, line });
    else if (kind === 'delete' && old !== undefined) this.#edit({ owner, file, kind, region, old });
    const made = this.#files.get(file);
    if (made === undefined) rmSync(join(root, file), { force: true });
    else writeFileSync(join(root, file), textOf(made));
  }

  #edit(edit: Edit): void {
    this.#edits.push(edit);
    apply(this.#files, edit);
  }

  #regionOf(file: string, lines: readonly string[], owner: Owner): string[] {
    const start = lines.indexOf(above(file, owner));
    return start < 0 ? [] : lines.slice(start + 1, lines.indexOf(`${file} below ${owner}`));
  }

  /** What there would be if some had done nothing. */
  without(gone: readonly Owner[]): Map<string, string> {
    const files = START();
    for (const edit of this.#edits) if (!gone.includes(edit.owner)) apply(files, edit);
    return new Map([...files].map(([file, lines]) => [file, textOf(lines)]));
  }

  /** Whether what some did in a file can be told from what the others did by the lines between. */
  isApart(file: string, gone: readonly Owner[]): boolean {
    const edits = this.#edits.filter((edit) => edit.file === file);
    const isGone = ({ owner }: Edit): boolean => gone.includes(owner);
    if (edits.every(isGone) || !edits.some(isGone)) return true;
    if (edits.some(({ kind }) => kind === 'create' || kind === 'remove')) return false;
    return OWNERS.every((region) => {
      const there = edits.filter((edit) => 'region' in edit && edit.region === region);
      return there.every(isGone) || !there.some(isGone);
    });
  }

  /** Lines that are there by others' doing; lines that have to be gone when what some did is. */
  claims(file: string, gone: readonly Owner[]): { present: string[]; absent: string[] } {
    const edits = this.#edits.filter((edit) => edit.file === file);
    const written = (isTheirs: boolean): string[] =>
      edits.flatMap((edit) => ('line' in edit && gone.includes(edit.owner) === isTheirs ? [edit.line] : []));
    const lines = new Set(this.#files.get(file));
    const deleted = edits.flatMap((edit) => {
      if (gone.includes(edit.owner)) return [];
      return 'old' in edit ? [edit.old] : edit.kind === 'remove' ? edit.lines : [];
    });
    return {
      present: written(false).filter((line) => lines.has(line)),
      absent: [...written(true), ...deleted.filter((line) => !lines.has(line))],
    };
  }

  get names(): readonly string[] {
    return NAMES;
  }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const apply = (files: Files, edit: Edit): void => {
  const lines = files.get(edit.file) ?? [];
  const at = 'old' in edit ? lines.indexOf(edit.old) : 'after' in edit ? lines.indexOf(edit.after) + 1 : 0;
  if (edit.kind === 'remove') files.delete(edit.file);
  else if (edit.kind === 'create') files.set(edit.file, [edit.line]);
  else files.set(edit.file, lines.toSpliced(at, edit.kind === 'insert' ? 0 : 1, ...('line' in edit ? [edit.line] : [])));
};

/** The files of a workspace, by name. */
export const filesIn = (root: string): Map<string, string> =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
