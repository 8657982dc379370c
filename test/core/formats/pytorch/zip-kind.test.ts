import { describe, expect, it } from 'vitest';
import { zipKind } from '../../../../src/core/formats/pytorch/zip-kind.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import { utf8, zipBytes } from '../../../support/zip-bytes.ts';

describe('zip archives without data.pkl', () => {
  it.each<[readonly string[], RegExp]>([
    [['a.npy', 'b.npy'], /numpy archive/],
    [['m/archive_format', 'm/models/model.json', 'm/data/weights/weight_0'], /torch.export/],
    [['m/model.json', 'm/tensors/0'], /preview of PyTorch 1.0/],
    [['m/.data/extern_modules', 'm/model/model.pkl'], /torch.package/],
    [['config.json', 'metadata.json', 'model.weights.h5'], /Keras/],
    [['model_index.json', 'unet/config.json'], /DDUF/],
    [['MAR-INF/MANIFEST.json', 'model.pt'], /TorchServe/],
    [['a.npy', 'b.txt'], /^a zip archive without a PyTorch "data.pkl"$/],
    [[], /^a zip archive without/],
  ])('%j', (names, label) => {
    expect(zipKind(names)).toMatch(label);
  });

  it('are named in the finding, with what they hold', async () => {
    const bytes = zipBytes({ name: 'MAR-INF/MANIFEST.json', content: utf8('{}') });
    const { findings, content } = await inspectBytes(bytes, 'm.mar');
    expect(content.format).toBe('unrecognised');
    expect(findings[0]?.message).toBe(
      'a model archive of TorchServe (mar): unpack it; it holds 1 members: "MAR-INF/MANIFEST.json"',
    );
  });
});
