import { spawnSync } from 'node:child_process';

/** Whether strace works here; says why not, because tests that need it are skipped then. */
export const canTrace = (): boolean => {
  const { status, error, stderr } = spawnSync('strace', ['-o', '/dev/null', '-e', 'inject=rename:signal=SIGKILL:when=9999', 'true']);
  if (status !== 0) console.log(`skipped: strace does not work here (${error?.message ?? String(stderr)})`);
  return status === 0;
};

/** Runs a command that the kernel kills on entering its nth of these system calls. */
export const killedAtCall = (calls: string, nth: number | string): string[] => [
  ...['strace', '-f', '-qq', '-o', '/dev/null'],
  ...['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${nth}`],
];

/** Runs a command and writes down these system calls of it, one per line. */
export const tracedCalls = (calls: string, to: string): string[] => ['strace', '-f', '-qq', '-o', to, '-e', `trace=${calls}`];
