import { readlinkSync } from 'node:fs';
import { type ByteString, toFs } from '../model/index.ts';
import { below } from './paths.ts';
import { readPlainText } from './plain-file.ts';

/** A branch by its full ref name, or a commit; undefined for a HEAD that git would not take for one. */
export type HeadFile = { readonly ref: ByteString } | { readonly commit: ByteString };

export const readHeadFile = (gitDirectory: ByteString): HeadFile | undefined => {
  const path = below(gitDirectory, 'HEAD');
  const text = readPlainText(path, { follow: false, limit: LONGEST });
  if (text !== null) return parseRef(text);
  const target = linkTarget(path);
  return target?.startsWith('refs/') ? { ref: target } : undefined;
};

/** The content of HEAD or of any loose ref. */
export const parseRef = (text: ByteString): HeadFile | undefined => {
  const ref = /^ref:\s*(refs\/[^\n\r]*[^\s])/.exec(text)?.[1];
  if (ref !== undefined) return { ref: ref as ByteString };
  const id = ID.exec(text)?.[0];
  return id === undefined ? undefined : { commit: id.toLowerCase() as ByteString };
};

const LONGEST = 4096;
const ID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i;

/** Before 2006 git made HEAD a symlink, and still reads it as one. */
const linkTarget = (path: ByteString): ByteString | undefined => {
  try {
    return readlinkSync(toFs(path), 'latin1') as ByteString;
  } catch {
    return undefined;
  }
};
