/** Work that is done for each key by one at a time. Asked for meanwhile, it is done once more after that, however often it was asked for. */
export const oneAtATime = () => {
  /** Whether it was asked for again, of those that are at work. */
  const atWork = new Map<string, boolean>();
  return async (key: string, work: () => Promise<void>): Promise<void> => {
    if (atWork.has(key)) return void atWork.set(key, true);
    try {
      do {
        atWork.set(key, false);
        await work();
      } while (atWork.get(key) === true);
    } finally {
      atWork.delete(key);
    }
  };
};
