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

/** A file takes up whole blocks of the disk: one this small becomes no smaller by compression. */
const BLOCK = 4096;

const STORED = { header: 2 + 5, trailer: 4 } as const;

/** For files of their own: zlib's format, but in plain bytes where compressing saves no room on the disk. */
export const deflateFile = (bytes: Uint8Array): Buffer => {
  const length = STORED.header + bytes.length + STORED.trailer;
  if (length > BLOCK) return deflate(bytes);
  const stored = Buffer.allocUnsafe(length);
  // Format and window; then one block that is the last and as it is, with its length and the length's complement.
  stored.writeUInt16BE(0x7801, 0);
  stored[2] = 1;
  stored.writeUInt16LE(bytes.length, 3);
  stored.writeUInt16LE(~bytes.length & 0xffff, 5);
  stored.set(bytes, STORED.header);
  stored.writeUInt32BE(adler32(bytes), STORED.header + bytes.length);
  return stored;
};

/** Of at most a block: within 5,552 bytes the sums can't overflow what is taken modulo at the end. */
const adler32 = (bytes: Uint8Array): number => {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a += byte;
    b += a;
  }
  return (((b % 65_521) << 16) | (a % 65_521)) >>> 0;
};

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

/** Two bytes that the format can begin with. */
export const looksCompressed = (input: Uint8Array): boolean =>
  ((input[0] ?? 0) & 0x0f) === 8 && (((input[0] ?? 0) << 8) | (input[1] ?? 0)) % 31 === 0;

/** How many bytes of the input the stream takes that gives exactly `size` bytes; undefined when the input ends before. */
export const compressedLength = (input: Uint8Array, size: number): number | undefined => {
  try {
    const { buffer, engine } = inflateSync(input, {
      info: true,
      chunkSize: chunkFor(size),
      maxOutputLength: Math.max(size, 1),
    }) as never as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (buffer.length === size) return engine.bytesWritten;
  } catch (error) {
    if (systemCode(error) === 'Z_BUF_ERROR') return undefined;
    throw new Damage('its compressed data are damaged', error);
  }
  throw new Damage('its compressed data are damaged');
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
