import { type ByteString, compareBytes, fromText, isWithin, join, type RelativePath, ROOT } from '../model/index.ts';
import type { Manifest } from '../store/index.ts';
import { IgnoreRules } from './ignore/rules.ts';
import type { Captured, CaptureRequest } from './request.ts';
import { Scope } from './scope.ts';

/** The record of what a capture left out, for the checkpoint made of it. */
export const manifestOf = ({ snapshot, repositories }: Captured, { surroundings, include }: CaptureRequest): Manifest => ({
  format: 1,
  ignoreCase: surroundings.ignoreCase,
  globalRules: surroundings.globalRules,
  include,
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
  const nothingTracked = { has: () => false, hasUnder: () => false };
  const repositories = new Map(
    manifest.repositories.map((repository) => [repository.at, { ...repository, tracked: nothingTracked, signature: '' }]),
  );
  const hidden = new Map(manifest.hiddenRules.map(({ directory, text }) => [directory, text]));
  const include = IgnoreRules.of([{ base: ROOT, text: fromText(manifest.include.join('\n')) }], manifest);
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
    let scope = scopeIn(ROOT, undefined);
    let directory = ROOT;
    const names = path.split('/');
    for (const [depth, name] of names.entries()) {
      if (name === '.git') return true;
      const at = join(directory, name);
      const isLast = depth === names.length - 1;
      if (scope.ignores(at, !isLast || isDirectory)) return !(isLast && !isDirectory && include.ignores(at, false));
      if (!isLast) scope = scopeIn(at, scope);
      directory = at;
    }
    return false;
  };
};

export type LeftOut = (path: RelativePath, isDirectory: boolean) => boolean;
