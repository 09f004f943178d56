/** The deep tier plays everything there is, with the program in processes of its own; the usual one a sample of it. */
export const DEEP = process.env.RETAKE_DEEP === '1';

export const sample = <T>(usual: T, deep: T): T => (DEEP ? deep : usual);

/** Where a sample is one part in so many, RETAKE_SLICE tells which; always the same one unless told. */
export const SLICES = 6;
export const SLICE = Number(process.env.RETAKE_SLICE ?? 0) % SLICES;
