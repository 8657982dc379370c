import { SingleBar } from 'cli-progress';

/** A progress bar on stderr; silent where stderr is no terminal. */
export interface ScanProgress {
  update(bytesDone: number): void;
  stop(): void;
}

/** Bytes under which a scan is over before anyone could read a bar. */
const WORTH_SHOWING = 256 * 1024 * 1024;

export const scanProgress = (bytesTotal: number): ScanProgress => {
  if (process.stderr.isTTY !== true || bytesTotal < WORTH_SHOWING) {
    return { update: () => undefined, stop: () => undefined };
  }
  const bar = new SingleBar({
    stream: process.stderr,
    format: 'scanning {bar} {percentage} % · {eta} s left',
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(bytesTotal, 0);
  return { update: (bytes) => bar.update(bytes), stop: () => bar.stop() };
};
