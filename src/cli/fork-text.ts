import type { ForkResult } from '../engine/index.ts';
import { paint } from './output.ts';
import { resumeLines } from './resume.ts';

/** What a fork or a summary came to. */
export const forkLines = ({ session, resume, prompt }: ForkResult): string[] => [
  `${paint('green', 'Done')}: session ${session}`,
  ...resumeLines(resume, prompt),
];
