import { describe, expect, it } from 'vitest';
import { checksumOf, parseChecksums } from '../../../src/core/audit/checksum-text.ts';

const A = 'a'.repeat(64);
const B = '0123456789ABCDEF'.repeat(4);

describe('a SHA-256 somebody wrote down', () => {
  it.each([
    [`${A}  m.safetensors`, A],
    [`${A} *m.safetensors\n`, A],
    [`${B}  ./weights/m.safetensors\r\n`, B.toLowerCase()],
    [`${B}  other.bin\n${A}  m.safetensors\n`, A],
    [`SHA256 (m.safetensors) = ${A}`, A],
    [`  ${A}\n`, A],
    [`sha256:${B}`, B.toLowerCase()],
    [`${A}  other.bin`, undefined],
    [`${A}  other.bin\n${B}  another.bin`, undefined],
    [A.slice(1), undefined],
    [`${A}0`, undefined],
    ['', undefined],
    [`${A}\n${B}`, undefined],
    ['<!doctype html>', undefined],
  ])('%j', (text, sha256) => {
    expect(parseChecksums(text, 'm.safetensors')?.sha256).toBe(sha256);
  });

  it('in a Git LFS pointer, with the size', () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${A}\nsize 4932308256\n`;
    expect(parseChecksums(pointer, 'm')).toEqual({ sha256: A, size: 4_932_308_256 });
    expect(parseChecksums(pointer.replace('size', 'sizes'), 'm')).toEqual({ sha256: A });
    expect(parseChecksums(pointer.replace(A, 'x'), 'm')).toBeUndefined();
  });

  it('alone', () => {
    expect(checksumOf(` SHA256:${A}`)).toEqual({ sha256: A });
    expect(checksumOf('m.safetensors')).toBeUndefined();
  });
});
