import { paint, printable } from './output.ts';

/** What to run, and the prompt that is handed back. */
export const resumeLines = (resume: string, prompt: string | null): string[] => [
  `To go on:   ${paint('bold', printable(resume))}`,
  ...(prompt === null ? [] : [paint('dim', 'The prompt that followed, for editing:'), ...printable(prompt).split('\n')]),
];
