import fc from 'fast-check';
import { sample } from './tier.ts';

/** The same examples in every run, so that a change answers for itself and for nothing else. RETAKE_SEED=NUMBER tries others. */
export const SEED = Number(process.env.RETAKE_SEED ?? 20_261_118);

/** How many examples a test plays: fewer in the usual tier. RETAKE_RUNS=10 plays ten times as many. */
export const runs = (usual: number, deep: number): number => sample(usual, deep) * Number(process.env.RETAKE_RUNS ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
