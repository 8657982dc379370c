/** Kinds of zip archives by the names of their members, most telling first (FORMATS.md 7 row 10), as the start of a sentence. */
const KINDS: readonly (readonly [label: string, test: (names: readonly string[]) => boolean])[] = [
  [
    'a numpy archive (npz), which this program does not open',
    (names) => names.length > 0 && names.every((name) => name.endsWith('.npy')),
  ],
  [
    'a torch.export program (pt2), which this program does not open',
    (names) => names.some((name) => name.endsWith('/archive_format') || name === 'archive_format'),
  ],
  [
    'a TorchScript archive of a preview of PyTorch 1.0, which this program does not open',
    (names) =>
      names.some((name) => name.endsWith('/model.json')) && names.some((name) => /^[^/]+\/tensors\/\d+$/.test(name)),
  ],
  [
    'a torch.package archive, whose pickles belong to its code: this program does not open it',
    (names) =>
      names.some((name) => name.endsWith('/.data/extern_modules')) ||
      names.some((name) => name.endsWith('/.data/version')),
  ],
  [
    'a Keras model, which this program does not open',
    (names) => names.includes('config.json') && names.some((name) => /^model\.weights\.(h5|npz)$/.test(name)),
  ],
  ['a DDUF archive of diffusers, which this program does not open', (names) => names.includes('model_index.json')],
  ['a model archive of TorchServe (mar): unpack it', (names) => names.includes('MAR-INF/MANIFEST.json')],
];

/** What a zip archive without a PyTorch `data.pkl` is, as the start of a sentence. */
export const zipKind = (names: readonly string[]): string =>
  KINDS.find(([, test]) => test(names))?.[0] ?? 'a zip archive without a PyTorch "data.pkl"';
