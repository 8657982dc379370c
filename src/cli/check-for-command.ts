import type { Checkpoint } from '../core/checkpoint.ts';
import type { CheckedMembers } from '../core/formats/pytorch/check-archive.ts';
import { checkArchives, uncheckedBytes } from '../node/scan/check-archives.ts';
import { engineForCommand } from './engine-for-command.ts';
import { progressBar } from './scan-progress.ts';

/** Reads archive members of a checkpoint through for a command and adds what is found; nothing where there are none. */
export const checkForCommand = async (checkpoint: Checkpoint, which: CheckedMembers): Promise<void> => {
  const bytes = uncheckedBytes(checkpoint, which);
  if (bytes === 0) {
    return;
  }
  const engine = await engineForCommand(bytes);
  const progress = progressBar('checking');
  try {
    const onProgress = (done: number): void => progress.update(done, bytes);
    checkpoint.content.findings.add(...(await checkArchives(engine, { checkpoint, which, onProgress })));
  } finally {
    progress.stop();
    await engine.destroy();
  }
};
