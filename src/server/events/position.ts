import { BEGINNING, type LogPosition } from '../../engine/index.ts';

const DIGITS = 12;
const ID = /^([1-9]\d{0,14})\.([0-9a-f]{12})\.([0-9a-f]{8})$/;

/** A position as the id of an event: it tells by itself whether it belongs to the log that it is compared with. */
export const encodePosition = ({ sequence, operation, log }: LogPosition): string =>
  sequence === 0 ? '0' : `${sequence}.${operation.slice(0, DIGITS)}.${log}`;

/** Undefined for what is no id of ours. */
export const decodePosition = (id: string): LogPosition | undefined => {
  if (id === '0') return BEGINNING;
  const [, sequence, operation, log] = ID.exec(id) ?? [];
  return sequence === undefined || operation === undefined || log === undefined
    ? undefined
    : { sequence: Number(sequence), operation, log };
};
