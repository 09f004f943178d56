import { paint, print, printable } from './output.ts';

/** What to run, and the prompt that is handed back. */
export const printResume = (resume: string, prompt: string | null): void => {
  print(`To go on:   ${paint('bold', printable(resume))}`);
  if (prompt === null) return;
  print(paint('dim', 'The prompt that followed, for editing:'));
  print(printable(prompt));
};
