/** Recorded in this workspace, not imported into it. */
export const OWN = 'line IS NULL';

export const quote = (word: string): string => `'${word}'`;
