import fc from 'fast-check';

/** The same examples in every run, so that a change answers for itself and for nothing else. RETAKE_SEED=NUMBER tries others. */
export const SEED = Number(process.env.RETAKE_SEED ?? 20_261_118);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
