/**
 * File names are bytes, not text. Inside Retake a path is a *byte string*: a JavaScript string in which each character
 * is one byte (latin1). It is exact for names that are not UTF-8, compares in byte order with `<`, and costs no Buffer.
 * Only the faces turn it into readable text.
 */
export type ByteString = string & { readonly __bytes: true };

/** A path below the workspace's root, parts joined by `/`; the root itself is the empty string. */
export type RelativePath = ByteString & { readonly __relative: true };

export const ROOT = '' as RelativePath;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is the definition of ASCII
const ASCII = /^[\x00-\x7f]*$/;

const isAscii = (text: string): boolean => ASCII.test(text);

export const fromText = (text: string): ByteString => (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as ByteString;

export const fromBytes = (bytes: Uint8Array): ByteString =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as ByteString;

export const toBytes = (bytes: ByteString): Buffer => Buffer.from(bytes, 'latin1');

/** What Node's file functions take for these bytes: a plain string where that is exact. */
export const toFs = (path: ByteString): string | Buffer => (isAscii(path) ? path : toBytes(path));

/** Readable text; bytes that are not UTF-8 show as the replacement character. */
export const toText = (bytes: ByteString): string => (isAscii(bytes) ? bytes : toBytes(bytes).toString('utf8'));

export const isUtf8 = (bytes: ByteString): boolean => isAscii(bytes) || fromText(toText(bytes)) === bytes;

export const join = (directory: RelativePath, name: string): RelativePath =>
  (directory === '' ? name : `${directory}/${name}`) as RelativePath;

export const parent = (path: RelativePath): RelativePath => {
  const slash = path.lastIndexOf('/');
  return (slash < 0 ? '' : path.slice(0, slash)) as RelativePath;
};

export const basename = (path: RelativePath): ByteString => path.slice(path.lastIndexOf('/') + 1) as ByteString;

/** True when `path` is `directory` or lies below it. */
export const isWithin = (path: RelativePath, directory: RelativePath): boolean =>
  directory === '' || path === directory || (path.startsWith(directory) && path[directory.length] === '/');

/** The path in JSON: readable, with the exact bytes beside it where the readable form loses something (SPEC CLI). */
export const pathFields = (path: RelativePath): { path: string; pathBase64?: string } =>
  isUtf8(path) ? { path: toText(path) } : { path: toText(path), pathBase64: toBytes(path).toString('base64') };

/** Byte order, the order of everything we sort. */
export const compareBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
