import { describe, expect, it, vi } from 'vitest';
import { exitOfListing, tensorsNamed, withCheckpoint } from '../../src/cli/open-for-command.ts';
import type { Output } from '../../src/cli/output.ts';
import type { Checkpoint } from '../../src/core/checkpoint.ts';
import { inspectPath } from '../../src/node/open-checkpoint.ts';
import type { Finding } from '../../src/shared/findings.ts';
import { closeAfterEach } from '../support/temporary-folder.ts';
import { fixture } from './support/run-loupe.ts';

const close = closeAfterEach();
const inspect = async (name: string): Promise<Checkpoint> => close(await inspectPath(fixture(name)));

const listening = (): { readonly output: Output; readonly codes: string[] } => {
  const codes: string[] = [];
  const output: Output = {
    json: false,
    line: () => undefined,
    value: () => undefined,
    raw: () => Promise.resolve(),
    note: () => undefined,
    findings: (findings: Iterable<Finding>) => codes.push(...Array.from(findings, ({ code }) => code)),
  };
  return { output, codes };
};

describe('withCheckpoint', () => {
  it('tells the findings before the work, and closes the file after it', async () => {
    const { output, codes } = listening();
    let kept: Checkpoint | undefined;
    const code = await withCheckpoint(fixture('bad/b02_trailing.safetensors'), output, async (checkpoint) => {
      expect(codes).toEqual(['trailing-bytes']);
      kept = checkpoint;
      return 0;
    });
    expect(code).toBe(0);
    await expect((async () => kept?.tensor(0).toFloat32())()).rejects.toThrow(/closed/);
  });

  it('closes the file when the work fails, and passes the failure on', async () => {
    let closed: ReturnType<typeof vi.spyOn> | undefined;
    const failing = withCheckpoint(fixture('good/all_dtypes.safetensors'), listening().output, (checkpoint) => {
      closed = vi.spyOn(checkpoint, 'close');
      return Promise.reject(new Error('the work failed'));
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe('exitOfListing', () => {
  it.each([
    ['good/all_dtypes.safetensors', 0],
    // A list was to be had, damaged as the file is.
    ['bad/b02_trailing.safetensors', 0],
    ['bad/b03_trunc.safetensors', 0],
    ['bad/b04_lfs.safetensors', 3],
    ['pickle/pickle_broken_after_call.pkl', 4],
    ['pickle/pickle_calls_print.pkl', 0],
  ])('%s gives %i', async (name, code) => {
    expect(exitOfListing(await inspect(name))).toBe(code);
  });
});

describe('tensorsNamed', () => {
  it('takes names and ids in the order they were given', async () => {
    const checkpoint = await inspect('good/all_dtypes.safetensors');
    expect(tensorsNamed(checkpoint, ['f32', '#0', 'f32']).map(({ id }) => id)).toEqual([
      checkpoint.get('f32').id,
      0,
      checkpoint.get('f32').id,
    ]);
  });

  it('refuses what is not there', async () => {
    const checkpoint = await inspect('good/all_dtypes.safetensors');
    for (const name of ['nothing', '#999999', '#-1', '#']) {
      expect(() => tensorsNamed(checkpoint, [name]), name).toThrow(expect.objectContaining({ code: 'no-such-tensor' }));
    }
  });
});
