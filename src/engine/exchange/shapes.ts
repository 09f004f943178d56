/** Tells whether a value from outside has a shape. Fields that are not named pass: a later Retake may write more. */
export type Shape = (value: unknown) => boolean;

export const text: Shape = (value) => typeof value === 'string';
export const flag: Shape = (value) => typeof value === 'boolean';
export const count: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const amount: Shape = (value) => typeof value === 'number' && value >= 0;
/** One that a file name can be made of. */
export const wellFormed: Shape = (value) => typeof value === 'string' && value.isWellFormed();
export const id: Shape = (value) => typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);
export const permissions: Shape = (value) => count(value) && (value as number) <= 0o7777;
export const time: Shape = (value) => typeof value === 'string' && value.length < 40 && !Number.isNaN(Date.parse(value));

/** A name that git could give to a branch or another ref: none that could be taken for an option, or lead elsewhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are among what git forbids
export const refName: Shape = (value) => typeof value === 'string' && /^(?!-)(?!.*\.\.)[^\x00-\x20~^:?*[\\\x7f]+$/.test(value);

/** An object of the user's repository. */
export const userObject: Shape = (value) => typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

/** A path below the workspace, one character for each byte. */
export const path: Shape = (value) =>
  typeof value === 'string' &&
  isBytes(value) &&
  value.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'));

export const directory: Shape = (value) => value === '' || path(value);

/** One character for each byte. */
export const bytes: Shape = (value) => typeof value === 'string' && isBytes(value);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of bytes
const isBytes = (value: string): boolean => /^[\x00-\xff]*$/.test(value);

export const oneOf =
  (...words: readonly unknown[]): Shape =>
  (value) =>
    words.includes(value);

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));

export const orNull = (shape: Shape): Shape => either(shape, (value) => value === null);

export const list =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);

export const fields =
  (needed: Readonly<Record<string, Shape>>, possible: Readonly<Record<string, Shape>> = {}): Shape =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const has = (key: string): boolean => Object.hasOwn(value, key);
    const fits = ([key, shape]: [string, Shape]): boolean => shape((value as Record<string, unknown>)[key]);
    return (
      Object.entries(needed).every((one) => has(one[0]) && fits(one)) && Object.entries(possible).every((one) => !has(one[0]) || fits(one))
    );
  };

/** JSON in which no key means something to the language, and which is not nested so deep that reading it fails; undefined else. */
export const parseJson = (json: string): unknown => {
  try {
    let isOdd = false;
    const value: unknown = JSON.parse(json, (key, one: unknown) => {
      isOdd ||= key === '__proto__';
      return one;
    });
    return isOdd ? undefined : value;
  } catch {
    return undefined;
  }
};
