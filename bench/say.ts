const started = performance.now();

/** Progress, for whoever waits; the result alone goes to standard output. */
export const say = (text: string): void => {
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
};
