import type { ByteString, Omission, RelativePath } from '../model/index.ts';

/**
 * What a checkpoint left out and why: enough to tell later whether a path that it does not hold was absent or ignored
 * (RST-5). Strings are byte strings, written as JSON text.
 */
export interface Manifest {
  readonly format: 1;
  readonly ignoreCase: boolean;
  /** The user's global excludes. */
  readonly globalRules: ByteString | null;
  /** Patterns captured even when ignored. */
  readonly include: readonly string[];
  /** Patterns never captured, tracked or not; absent where there were none. */
  readonly exclude?: readonly string[];
  /** The repository the workspace lies in, and those nested in it: where rules start anew. */
  readonly repositories: readonly RepositoryRules[];
  /** Bytes of `.gitignore` files that are ignored themselves, so that `files` does not hold them. */
  readonly hiddenRules: readonly { readonly directory: RelativePath; readonly text: ByteString }[];
  readonly omissions: readonly Omission[];
}

interface RepositoryRules {
  /** The directory of the workspace from which on these rules count; the root for the containing repository. */
  readonly at: RelativePath;
  /** Where that directory lies below the repository's top. */
  readonly prefix: RelativePath;
  /** info/exclude, and `.gitignore` files above the workspace, weakest first; `base` is relative to the top. */
  readonly rules: readonly { readonly base: RelativePath; readonly text: ByteString }[];
}

export const encodeManifest = (manifest: Manifest): Buffer => Buffer.from(`${JSON.stringify(manifest)}\n`);

export const decodeManifest = (bytes: Buffer): Manifest => JSON.parse(bytes.toString());
