import { type ByteString, compareBytes, isWithin, join, type RelativePath } from '../model/index.ts';
import type { Manifest } from '../store/index.ts';
import { patternRules } from './pattern-rules.ts';
import type { Captured, CaptureRequest } from './request.ts';
import { Scope } from './scope.ts';

/** The record of what a capture left out, for the checkpoint made of it. */
export const manifestOf = ({ snapshot, repositories }: Captured, { gitContext, include, exclude }: CaptureRequest): Manifest => ({
  format: 1,
  ignoreCase: gitContext.ignoreCase,
  globalRules: gitContext.globalRules,
  include,
  ...(exclude.length === 0 ? {} : { exclude }),
  repositories: repositories
    .map(({ at, prefix, rules }) => ({ at, prefix, rules: rules.map(({ base, text }) => ({ base, text })) }))
    .sort((a, b) => compareBytes(a.at, b.at)),
  hiddenRules: snapshot.header.hiddenRules
    .map(([directory, text]) => ({ directory, text }))
    .sort((a, b) => compareBytes(a.directory, b.directory)),
  omissions: omissionsOf(snapshot),
});

const omissionsOf = ({ header }: Captured['snapshot']): Manifest['omissions'] =>
  header.omissions.flatMap(([, omissions]) => omissions).sort((a, b) => compareBytes(a.path, b.path));

/**
 * For a path that a checkpoint does not hold: may it have been there all the same, ignored or not capturable? Only where
 * this says no was the path absent, and may a rollback delete it (RST-5).
 *
 * @param rulesIn the `.gitignore` that the checkpoint holds in a directory
 */
export const leftOutBy = (manifest: Manifest, rulesIn: (directory: RelativePath) => ByteString | null): LeftOut => {
  const nothingTracked = { has: () => false, hasUnder: () => false, hasSubmodule: () => false };
  const repositories = new Map(
    manifest.repositories.map((repository) => [repository.at, { ...repository, tracked: nothingTracked, signature: '' }]),
  );
  const hidden = new Map(manifest.hiddenRules.map(({ directory, text }) => [directory, text]));
  const include = patternRules(manifest.include, manifest);
  const excluded = excludedBy(manifest);
  const scopes = new Map<RelativePath, Scope>();

  const scopeIn = (directory: RelativePath, above: Scope | undefined): Scope => {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const repository = repositories.get(directory);
    const outer = repository !== undefined || above === undefined ? Scope.begin(manifest, repository ?? null) : above;
    const scope = outer.with(directory, () => hidden.get(directory) ?? rulesIn(directory));
    scopes.set(directory, scope);
    return scope;
  };

  return (path, isDirectory) => {
    if (manifest.omissions.some((omission) => isWithin(path, omission.path))) return true;
    if (excluded(path, isDirectory) !== null) return true;
    const names = path.split('/');
    if (names.includes('.git')) return true;
    // Rules from outside end where a repository begins; it was looked into, whatever they say of it.
    const above = names.slice(0, -1).findLastIndex((_, depth) => repositories.has(pathOf(names, depth)));
    let directory = pathOf(names, above);
    let scope = scopeIn(directory, undefined);
    for (const [depth, name] of names.entries()) {
      if (depth <= above) continue;
      const at = join(directory, name);
      const isLast = depth === names.length - 1;
      if (scope.ignores(at, !isLast || isDirectory)) return !(isLast && !isDirectory && include.ignores(at, false));
      if (!isLast) scope = scopeIn(at, scope);
      directory = at;
    }
    return false;
  };
};

const pathOf = (names: readonly string[], depth: number): RelativePath => names.slice(0, depth + 1).join('/') as RelativePath;

/** Of a path: itself, or the directory above it, that `capture.exclude` left out; null where it did not. */
export const excludedBy = ({ exclude = [], ignoreCase }: Pick<Manifest, 'exclude' | 'ignoreCase'>) => {
  const rules = patternRules(exclude, { ignoreCase });
  return (path: RelativePath, isDirectory: boolean): RelativePath | null => {
    if (exclude.length === 0) return null;
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const directory = path.slice(0, end) as RelativePath;
      if (rules.ignores(directory, true)) return directory;
    }
    return rules.ignores(path, isDirectory) ? path : null;
  };
};

export type LeftOut = (path: RelativePath, isDirectory: boolean) => boolean;
