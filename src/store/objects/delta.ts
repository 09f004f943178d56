import { Damage } from './damage.ts';

interface DeltaHeader {
  readonly baseSize: number;
  readonly resultSize: number;
  /** Where the instructions begin. */
  readonly length: number;
}

const readSize = (delta: Buffer, at: number): { value: number; next: number } => {
  let value = 0;
  let factor = 1;
  for (let next = at; ; ) {
    const byte = delta[next++];
    if (byte === undefined || factor > 2 ** 49) throw new Damage('its delta is damaged');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next };
    factor *= 128;
  }
};

/** The sizes stand at the beginning, so the first bytes of a delta are enough. */
export const deltaHeader = (delta: Buffer): DeltaHeader => {
  const base = readSize(delta, 0);
  const result = readSize(delta, base.next);
  return { baseSize: base.value, resultSize: result.value, length: result.next };
};

const LARGEST_COPY = 0x10000;

/**
 * Walks the instructions: runs of `base` and of the delta itself, in the order of the result. A run may reach beyond its
 * source when the delta is damaged; the visitor sees to that.
 */
const walk = (delta: Buffer, start: number, visit: (fromBase: boolean, offset: number, size: number) => void): void => {
  for (let at = start; at < delta.length; ) {
    const instruction = delta[at++] as number;
    if (instruction === 0) throw new Damage('its delta is damaged');
    if (instruction < 0x80) {
      visit(false, at, instruction);
      at += instruction;
      continue;
    }
    let offset = 0;
    let size = 0;
    // Multiplied, not shifted: the fourth byte would make a shifted number negative.
    if (instruction & 0x01) offset += delta[at++] ?? 0;
    if (instruction & 0x02) offset += (delta[at++] ?? 0) * 0x100;
    if (instruction & 0x04) offset += (delta[at++] ?? 0) * 0x10000;
    if (instruction & 0x08) offset += (delta[at++] ?? 0) * 0x1000000;
    if (instruction & 0x10) size += delta[at++] ?? 0;
    if (instruction & 0x20) size += (delta[at++] ?? 0) * 0x100;
    if (instruction & 0x40) size += (delta[at++] ?? 0) * 0x10000;
    visit(true, offset, size || LARGEST_COPY);
  }
};

export const applyDelta = (base: Buffer, delta: Buffer): Buffer => {
  const { baseSize, resultSize, length } = deltaHeader(delta);
  if (baseSize !== base.length) throw new Damage('its delta belongs to another object');
  // The sum is taken before memory is: the declared size alone may be anything.
  let total = 0;
  walk(delta, length, (fromBase, offset, size) => {
    if (offset + size > (fromBase ? base : delta).length) throw new Damage('its delta is damaged');
    total += size;
  });
  if (total !== resultSize) throw new Damage('its delta is damaged');
  const result = Buffer.allocUnsafe(resultSize);
  let at = 0;
  walk(delta, length, (fromBase, offset, size) => {
    at += (fromBase ? base : delta).copy(result, at, offset, offset + size);
  });
  return result;
};
