import { systemCode } from '../../model/index.ts';

/** Stored bytes that can't be what was written. ObjectStore turns it into an error that names the object. */
export class Damage extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'Damage';
  }
}

/** Runs `read`; a disk that can't give back a sector is damage like any other, while lack of rights or memory is not. */
export const readingDisk = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) === 'EIO') throw new Damage('the disk could not read it', error);
    if (systemCode(error) === 'EISDIR') throw new Damage('it is a directory', error);
    throw error;
  }
};

export const unlessDamaged = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
};
