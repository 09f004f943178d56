import { kMaxLength } from 'node:buffer';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { systemCode } from '../../model/index.ts';
import { Damage } from './damage.ts';

/** Up to this size a smaller window compresses as well, and setting up zlib is what the time goes into. */
const SMALL = 4096;

const LARGEST_CHUNK = 1 << 20;

const chunkFor = (size: number): number => Math.min(size + 64, LARGEST_CHUNK);

export const deflate = (bytes: Uint8Array): Buffer =>
  deflateSync(bytes, bytes.length <= SMALL ? { level: 1, windowBits: 12, chunkSize: chunkFor(bytes.length) } : { level: 1 });

/**
 * Inflates a stream that must give exactly `size` bytes; undefined when the input ends before the stream does. The size
 * comes from a disk, so it bounds the output but memory is only taken as output appears.
 */
export const inflateExactly = (input: Uint8Array, size: number): Buffer | undefined => {
  let bytes: Buffer;
  try {
    bytes = inflateSync(input, { chunkSize: chunkFor(size), maxOutputLength: Math.min(Math.max(size, 1), kMaxLength) });
  } catch (error) {
    if (systemCode(error) === 'Z_BUF_ERROR') return undefined;
    throw new Damage('its compressed data are damaged', error);
  }
  if (bytes.length !== size) throw new Damage(`it has ${bytes.length} bytes instead of ${size}`);
  return bytes;
};

/** Compressed bytes that surely inflate to something: the largest Huffman tables, which come first, take half of it. */
export const START_BYTES = 1024;

/** What the beginning of a stream inflates to, as far as it goes. */
export const inflateStart = (input: Uint8Array): Buffer => {
  try {
    return inflateSync(input, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw new Damage('its compressed data are damaged', error);
  }
};
