import { readFileSync } from 'node:fs';
import { systemCode } from '../model/index.ts';

/** Whether there is such a process. One that ended is listed until somebody asks what came of it, which in a container may be never. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // There is one, and it is somebody else's.
    return systemCode(error) === 'EPERM';
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It ended just now, or the system does not tell.
    return true;
  }
};
