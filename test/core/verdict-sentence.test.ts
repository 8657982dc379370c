import { describe, expect, it } from 'vitest';
import { noContent } from '../../src/core/checkpoint-content.ts';
import { FindingList } from '../../src/core/finding-list.ts';
import { verdictSentence } from '../../src/core/verdict-sentence.ts';
import { type FindingCode, finding } from '../../src/shared/findings.ts';
import { inspectBytes } from '../support/inspect-bytes.ts';
import { fileBytes, floats, header, member, octets } from '../support/safetensors-bytes.ts';

const sentenceOf = async (bytes: Uint8Array, name?: string): Promise<string> => {
  const { content, verdict } = await inspectBytes(bytes, name);
  return verdictSentence(content, verdict);
};

const sentenceFor = (...codes: readonly FindingCode[]): string => {
  const findings = new FindingList();
  findings.add(...codes.map((code, index) => finding(code, `message ${index}`, { file: 'm' })));
  return verdictSentence(noContent('pytorch', 'm', findings), findings.verdict());
};

describe('the verdict as a sentence', () => {
  it('clean', async () => {
    expect(await sentenceOf(fileBytes(header(floats('a', 0, 16)), 16))).toBe(
      'Clean: structure whole; this format holds no code',
    );
    expect(sentenceFor('constant', 'all-zero')).toMatch(/^Clean: /);
  });

  it('one warning, several', async () => {
    const one = header(member('__metadata__', '{"n":0}'), floats('a', 0, 16));
    expect(await sentenceOf(fileBytes(one, 16))).toBe(
      '1 warning: the metadata value of "n" is a JSON number, expected a string',
    );
    expect(await sentenceOf(fileBytes(one, 16), 'm.pt')).toBe('2 warnings');
  });

  it('damaged: what first, and how much more', async () => {
    expect(await sentenceOf(fileBytes(header(octets('a', 0, 4), octets('b', 2, 6)), 6))).toMatch(
      /^Damaged: tensor "b" shares 2 bytes \[\d+, \d+\) with tensor "a"$/,
    );
    expect(await sentenceOf(fileBytes(header(member('a', '7'), octets('b', 0, 4)), 8))).toMatch(
      /^Damaged: tensor "a": its entry is not an object but 7, and 1 more error$/,
    );
  });

  it('damaged: cut off, with how many tensors and bytes, and what else', async () => {
    const cut = header(floats('a', 0, 16), floats('b', 16, 32));
    expect(await sentenceOf(fileBytes(cut, 23))).toBe('Damaged: 1 of 2 tensors cut off, 9 bytes missing');
    expect(await sentenceOf(fileBytes(header(floats('a', 0, 16)), 15))).toBe(
      'Damaged: 1 of 1 tensor cut off, 1 byte missing',
    );
    const more = header(floats('a', 0, 16), floats('b', 16, 32), member('c', '7'));
    expect(await sentenceOf(fileBytes(more, 23))).toBe(
      'Damaged: 1 of 3 tensors cut off, 9 bytes missing, and 1 other error',
    );
  });

  it('damaged: counts tensors that were cut off beyond the findings that are kept', async () => {
    const members = Array.from({ length: 12_000 }, (_, index) => octets(`${index}`, index, index + 1));
    expect(await sentenceOf(fileBytes(header(...members), 1))).toBe(
      'Damaged: 11,999 of 12,000 tensors cut off, 11,999 bytes missing',
    );
  });

  it('not a checkpoint', async () => {
    expect(await sentenceOf(new TextEncoder().encode('hello there'), 'm.bin')).toBe(
      'Not a checkpoint: a text file: this program does not open it',
    );
  });

  it('incomplete: names what was not scanned, not another warning before it', () => {
    expect(sentenceFor('metadata-not-strings', 'extension-mismatch', 'not-scanned')).toBe('Incomplete: message 2');
  });

  it('dangerous: names the danger, whatever else there is', () => {
    expect(sentenceFor('gap', 'not-scanned', 'pickle-dangerous-call', 'pickle-dangerous-import')).toBe(
      'Dangerous: message 2',
    );
  });

  it('never says “safe”', () => {
    for (const code of ['gap', 'has-nan', 'constant', 'not-scanned', 'pickle-dangerous-call'] as const) {
      expect(sentenceFor(code)).not.toMatch(/\bsafe\b/i);
    }
  });
});
