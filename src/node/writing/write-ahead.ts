/**
 * Writes chunks in order; while one is being written by the system, the next is made: each must stay as it is until the next
 * but one is asked for. Whatever fails, both are waited for and the generator is ended before the error is thrown.
 *
 * @throws whatever `chunks` or `write` throw.
 */
export const writeAhead = async (
  chunks: AsyncGenerator<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> => {
  try {
    for (let next = await chunks.next(); next.done !== true; ) {
      // The write is begun first: making the next chunk holds this thread, the write does not need it.
      const [written, made] = await Promise.allSettled([write(next.value), chunks.next()]);
      if (written.status === 'rejected') {
        throw written.reason;
      }
      if (made.status === 'rejected') {
        throw made.reason;
      }
      next = made.value;
    }
  } finally {
    await chunks.return(undefined);
  }
};
