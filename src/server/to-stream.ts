/** How long a client may leave what is ready for it before it is given up. One that there is nothing for may wait for ever. */
export const PATIENCE = 30_000;

/**
 * Pieces as a stream that makes the next one when the one before is taken. `onEnd` is called once: when all is out, when the client goes, or
 * when it takes nothing for too long.
 */
export const toStream = (pieces: AsyncIterable<string | Uint8Array>, onEnd: () => void, patience: number): ReadableStream<Uint8Array> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let waiting: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    clearTimeout(waiting);
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(waiting);
        try {
          const { done, value } = await iterator.next();
          if (done) {
            end();
            controller.close();
            return;
          }
          controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
          waiting = setTimeout(() => {
            iterator.return?.().catch(() => {});
            end();
            controller.error(new Error('the client took too long'));
          }, patience).unref();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel() {
        await iterator.return?.();
        end();
      },
    },
    { highWaterMark: 1 },
  );
};
