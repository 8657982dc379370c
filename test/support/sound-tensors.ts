import fc from 'fast-check';
import { SAFETENSORS_DTYPES } from '../../src/core/dtypes/dtype-table.ts';
import type { HeaderTensor } from '../../src/core/formats/safetensors/write-header.ts';

const ODD_NAMES = ['', '__proto__', 'constructor', '10', '2', 'a.b', '😀', '\uffee', '\ue000', 'q"\\\n\u0000', 'é'];

/** Dictionaries of whole, small tensors with distinct names, of every dtype. */
export const soundTensors = (): fc.Arbitrary<HeaderTensor[]> =>
  fc.uniqueArray(
    fc
      .record({
        name: fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string({ unit: 'grapheme', maxLength: 12 })),
        info: fc.constantFrom(...SAFETENSORS_DTYPES.values()),
        shape: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
      })
      .map(({ name, info, shape }) => {
        const product = shape.reduce((total, dimension) => total * dimension, 1);
        // Sub-byte dtypes need whole bytes.
        const whole = (product * info.bits) % 8 === 0 ? shape : [...shape, 4];
        const count = whole.reduce((total, dimension) => total * dimension, 1);
        return { name, dtype: info.name, shape: whole, bytes: (count * info.bits) / 8 };
      })
      .filter(({ name }) => name !== '__metadata__'),
    { selector: ({ name }) => name, maxLength: 8 },
  );
