import { type ByteString, compareBytes } from '../../model/index.ts';
import { below } from '../paths.ts';
import { readPlainText } from '../plain-file.ts';
import { replaceLocked } from '../staging/locked-file.ts';

/** The commits at which a shallow clone's history is cut off: their parents are missing on purpose. */
export const readShallow = (commonDirectory: ByteString): Set<string> => {
  const text = readPlainText(below(commonDirectory, 'shallow'), { follow: true }) ?? '';
  return new Set(text.split('\n').filter((line) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line)));
};

export const writeShallow = (commonDirectory: ByteString, commits: ReadonlySet<string>): void => {
  const text = [...commits].sort(compareBytes).map((id) => `${id}\n`);
  replaceLocked(below(commonDirectory, 'shallow'), Buffer.from(text.join(''), 'latin1'));
};
