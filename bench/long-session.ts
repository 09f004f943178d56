/** Records of a turn. */
const PER_TURN = 10;

export interface LongSession<T> {
  readonly checkpoints: number;
  /** Something changes in the workspace. */
  readonly change: () => unknown;
  readonly prompt: (promptId: string) => Promise<T>;
  readonly step: (promptId: string, toolUseId: string) => Promise<T>;
  readonly onProgress?: (made: number) => void;
}

/** Has a session of so many checkpoints recorded, turn by turn. */
export const recordLongSession = async <T>({ checkpoints, change, prompt, step, onProgress }: LongSession<T>): Promise<void> => {
  let promptId = '';
  for (let made = 0; made < checkpoints; made++) {
    onProgress?.(made);
    change();
    if (made % PER_TURN === 0) {
      promptId = `prompt ${made}`;
      await prompt(promptId);
    } else await step(promptId, `tool ${made}`);
  }
};
