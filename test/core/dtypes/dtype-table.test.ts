import { describe, expect, test } from 'vitest';
import { componentBits, DTYPES, dtypeInfo, SAFETENSORS_DTYPES } from '../../../src/core/dtypes/dtype-table.ts';

// FORMATS.md 1.4, in rank order.
const REFERENCE = [
  ['BOOL', 8, 'bool'],
  ['F4', 4, 'float'],
  ['F6_E2M3', 6, 'float'],
  ['F6_E3M2', 6, 'float'],
  ['U8', 8, 'uint'],
  ['I8', 8, 'int'],
  ['F8_E5M2', 8, 'float'],
  ['F8_E4M3', 8, 'float'],
  ['F8_E8M0', 8, 'float'],
  ['F8_E4M3FNUZ', 8, 'float'],
  ['F8_E5M2FNUZ', 8, 'float'],
  ['I16', 16, 'int'],
  ['U16', 16, 'uint'],
  ['F16', 16, 'float'],
  ['BF16', 16, 'float'],
  ['I32', 32, 'int'],
  ['U32', 32, 'uint'],
  ['F32', 32, 'float'],
  ['C64', 64, 'complex'],
  ['F64', 64, 'float'],
  ['I64', 64, 'int'],
  ['U64', 64, 'uint'],
] as const;

describe('the dtype table', () => {
  test('holds the 22 dtypes of the reference, in the order its serializer sorts by', () => {
    const rows = [...SAFETENSORS_DTYPES.values()].map(({ name, bits, kind, rank }) => [name, bits, kind, rank]);
    expect(rows).toEqual(REFERENCE.map(([name, bits, kind], rank) => [name, bits, kind, rank]));
  });

  test('gives an element of a complex dtype two components, every other dtype one', () => {
    for (const info of DTYPES.values()) {
      const parts = info.kind === 'complex' ? 2 : 1;
      expect(info.components).toBe(parts);
      expect(componentBits(info)).toBe(info.bits / parts);
    }
  });

  test('float layouts fill their bits', () => {
    for (const info of DTYPES.values()) {
      if (info.format !== undefined) {
        const sign = info.format.specials === 'scale' ? 0 : 1;
        expect(sign + info.format.exponentBits + info.format.mantissaBits, info.name).toBe(componentBits(info));
      }
    }
  });

  test('holds what PyTorch has besides, which safetensors does not know', () => {
    expect(dtypeInfo('C128')).toMatchObject({ bits: 128, kind: 'complex', rank: undefined });
    expect(SAFETENSORS_DTYPES.has('C128')).toBe(false);
  });

  test.each(['', 'f32', 'E8M0', 'F8_E3M4', '__proto__', 'constructor'])('knows no dtype called "%s"', (name) => {
    expect(dtypeInfo(name)).toBeUndefined();
  });
});
