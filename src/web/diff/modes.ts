/** What a file is, by what its patch says of it. */
const KINDS: Readonly<Record<string, string>> = { '100644': 'a file', '100755': 'an executable file', '120000': 'a symbolic link' };

/** What became of a file that has other permissions or is of another type now, in words. */
export const modesIn = (patch: string): string => {
  const head = patch.slice(0, 100_000);
  const before = /^(?:old|deleted file) mode (\d+)$/m.exec(head)?.[1];
  const after = /^new (?:file )?mode (\d+)$/m.exec(head)?.[1];
  const [was, is] = [KINDS[before ?? ''], KINDS[after ?? '']];
  if (was === undefined || is === undefined) return 'Only its permissions changed.';
  return `It was ${was} and is ${is} now.`;
};
