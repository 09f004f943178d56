import { createHash } from 'node:crypto';
import { writeFileSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { observeEffects } from '../../src/host/effects.ts';

/**
 * A process made to die: by SIGKILL, before the effect that `RETAKE_TEST_KILL_AT` numbers (the first is 1).
 * `RETAKE_TEST_TRACE_TO` names a file that gets all effects of a whole run, one per line.
 * `RETAKE_TEST_SEED` fixes clock and randomness: ids, and with them the effects, are then the same in every run.
 */
const { RETAKE_TEST_KILL_AT, RETAKE_TEST_TRACE_TO, RETAKE_TEST_SEED } = process.env;

const makeDeterministic = (seed: string): void => {
  let drawn = 0;
  const crypto = process.getBuiltinModule('node:crypto');
  const randomBytes = (size: number): Buffer => createHash('sha512').update(`${seed} ${drawn++}`).digest().subarray(0, size);
  const randomUUID = (): string =>
    randomBytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  Object.assign(crypto, { randomBytes, randomUUID });
  syncBuiltinESMExports();
  const second = createHash('sha1').update(seed).digest().readUInt16BE(0);
  const moment = Date.UTC(2026, 0, 1) + second * 1000;
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given: [] | [string | number]) {
      super(...((given.length === 0 ? [moment] : given) as [number]));
    }
  } as DateConstructor;
};

const die = (count: number, effect: { kind: string; path: string }): void => {
  writeSync(2, `killed before effect ${count}: ${effect.kind} ${effect.path}\n`);
  process.kill(process.pid, 'SIGKILL');
  // Nothing may happen between the signal and the end.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

/** Runs a program to its end, or to the effect at which it is to die. */
export const runFaulty = async (program: () => Promise<number>): Promise<void> => {
  if (RETAKE_TEST_SEED !== undefined) makeDeterministic(RETAKE_TEST_SEED);
  const killAt = Number(RETAKE_TEST_KILL_AT ?? 0);
  const trace: string[] = [];
  observeEffects((effect) => {
    trace.push(`${effect.kind} ${effect.path.replaceAll('\n', '\\n')}`);
    if (trace.length === killAt) die(killAt, effect);
  });
  process.exitCode = await program();
  if (RETAKE_TEST_TRACE_TO !== undefined) writeFileSync(RETAKE_TEST_TRACE_TO, trace.join('\n'));
};
