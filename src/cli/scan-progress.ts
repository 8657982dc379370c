import { SingleBar } from 'cli-progress';

/** A progress bar on stderr; silent where stderr is no terminal, or the work is over before anyone could read it. */
export interface ScanProgress {
  update(bytesDone: number): void;
  stop(): void;
}

/** Bytes under which work is over before anyone could read a bar. */
const WORTH_SHOWING = 256 * 1024 * 1024;

const silent: ScanProgress = { update: () => undefined, stop: () => undefined };

const shownBar = (label: string, bytesTotal: number): ScanProgress => {
  if (process.stderr.isTTY !== true || bytesTotal < WORTH_SHOWING) {
    return silent;
  }
  const bar = new SingleBar({
    stream: process.stderr,
    format: `${label} {bar} {percentage} % · {eta} s left`,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(bytesTotal, 0);
  return { update: (bytes) => bar.update(bytes), stop: () => bar.stop() };
};

export const scanProgress = (bytesTotal: number): ScanProgress => shownBar('scanning', bytesTotal);

/** As {@link scanProgress}, for work whose size is known only once it has begun. */
export const progressBar = (
  label: string,
): { readonly update: (bytesDone: number, bytesTotal: number) => void; readonly stop: () => void } => {
  let bar: ScanProgress | undefined;
  return {
    update: (bytesDone, bytesTotal) => {
      bar ??= shownBar(label, bytesTotal);
      bar.update(bytesDone);
    },
    stop: () => bar?.stop(),
  };
};
