import { deflateSync } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const BYTES_PER_LINE = 52;

/** How `git diff --binary` tells a change of bytes that are no text: the new ones, then the old ones for the way back. */
export function* binaryPatch(before: Buffer, after: Buffer): Generator<string> {
  yield 'GIT binary patch\n';
  for (const bytes of [after, before]) {
    yield `literal ${bytes.length}\n`;
    const packed = deflateSync(bytes);
    for (let at = 0; at < packed.length; at += BYTES_PER_LINE) yield lineOf(packed.subarray(at, at + BYTES_PER_LINE));
    yield '\n';
  }
}

const lineOf = (bytes: Buffer): string => {
  let text = lengthSign(bytes.length);
  for (let at = 0; at < bytes.length; at += 4) text += inBase85(bytes.subarray(at, at + 4));
  return `${text}\n`;
};

/** A to Z are 1 to 26, a to z the rest. */
const lengthSign = (length: number): string => String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);

const inBase85 = (bytes: Buffer): string => {
  let value = 0;
  for (let at = 0; at < 4; at++) value = value * 256 + (bytes[at] ?? 0);
  let digits = '';
  for (let place = 0; place < 5; place++) {
    digits = DIGITS[value % 85] + digits;
    value = Math.floor(value / 85);
  }
  return digits;
};
