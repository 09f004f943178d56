/** The fields of a tar header (ustar) that an export has: plain files by short names. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
}

export const BLOCK = 512;

/** The longest name that its field holds. */
const NAME = 100;
/** Eleven octal digits. */
const LARGEST_OCTAL = 8 ** 11 - 1;
const CHECKSUM = { at: 148, length: 8 };

export const paddingAfter = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export const encodeTarHeader = ({ name, size }: TarHeader, seconds: number): Buffer => {
  if (name.length > NAME) throw new Error(`too long for a tar: ${name}`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(name, 0, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (size <= LARGEST_OCTAL) octal(size, 124, 12);
  else {
    // As GNU tar and others write larger numbers: a bit that says so, and then the bytes.
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(seconds, 136, 12);
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at, 'latin1');
  return header;
};

/** The sum of all bytes, those of the sum itself taken for spaces. */
const checksumOf = (header: Buffer): number => {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? 0x20 : byte;
  return sum;
};

export const isZero = (block: Buffer): boolean => block.every((byte) => byte === 0);

/** Why it can't be read, in words that follow "it"; or what it says. */
export const decodeTarHeader = (header: Buffer): TarHeader | string => {
  const text = (at: number, length: number): string => header.toString('latin1', at, at + length).split('\0', 1)[0] ?? '';
  const octal = (at: number, length: number): number => {
    const digits = text(at, length).trim();
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  };
  if (text(257, 5) !== 'ustar' || octal(CHECKSUM.at, CHECKSUM.length) !== checksumOf(header)) return 'is no tar archive, or is damaged';
  if (text(156, 1) !== '0' || text(345, 155) !== '') return 'holds something other than plain files';
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : octal(124, 12);
  return Number.isSafeInteger(size) ? { name: text(0, NAME), size } : 'tells an impossible size';
};
