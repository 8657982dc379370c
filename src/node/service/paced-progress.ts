/** Told of bytes done, of how many. */
export type OnProgress = (bytesDone: number, bytesTotal: number) => void;

/** Milliseconds between two reports. */
const PACE_MS = 100;

/**
 * Runs work that reports every piece it writes, and passes on at most ten reports a second, the last one always.
 *
 * @throws whatever the work throws.
 */
export const withPacedProgress = async <T>(
  onProgress: OnProgress | undefined,
  work: (report: OnProgress) => Promise<T>,
): Promise<T> => {
  let latest: readonly [number, number] | undefined;
  let told = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    if (latest !== undefined) {
      onProgress?.(...latest);
      latest = undefined;
      told = performance.now();
    }
  };
  try {
    return await work((bytesDone, bytesTotal) => {
      latest = [bytesDone, bytesTotal];
      if (performance.now() - told >= PACE_MS) {
        tell();
      }
    });
  } finally {
    tell();
  }
};
