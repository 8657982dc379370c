import { describe, expect, it } from 'vitest';
import { suggestedName } from '../../../src/renderer/features/export/run-export.ts';
import { splitSentence } from '../../../src/renderer/features/header/split-sentence.ts';
import { timeAgo } from '../../../src/renderer/features/start/time-ago.ts';
import { timeLeft } from '../../../src/renderer/features/status/time-left.ts';
import { dtypeMix, percent } from '../../../src/renderer/features/tree/dtype-mix.ts';
import { elideName, hoverText, lineText } from '../../../src/renderer/widgets/file-text.tsx';
import { makeRow } from '../tensor-row-maker.ts';

describe('texts', () => {
  it('splits the verdict into word and rest', () => {
    expect(splitSentence('Damaged', 'Damaged: 1 of 2 cut off')).toEqual({ word: 'Damaged', rest: '1 of 2 cut off' });
    expect(splitSentence('Warnings', '3 warnings')).toEqual({ word: '3 warnings', rest: '' });
    expect(splitSentence('Clean', '')).toEqual({ word: 'Clean', rest: '' });
  });

  it('tells times', () => {
    expect(timeLeft(12e9, 1e9)).toBe('12 s left');
    expect(timeLeft(600e9, 1e9)).toBe('10 min left');
    expect(timeLeft(1, 0)).toBe('');
    expect(timeAgo(0, 30_000)).toBe('just now');
    expect(timeAgo(0, 86_400_000)).toBe('yesterday');
  });

  it('tells shares', () => {
    expect(percent(1, 1000)).toBe('< 1 %');
    expect(percent(999, 1000)).toBe('> 99 %');
    expect(percent(0, 0)).toBe('0 %');
    expect(dtypeMix([makeRow(0, 'a', { bytes: 3 }), makeRow(1, 'b', { bytes: 1, dtype: 'BF16' })])).toBe(
      'F32 75 %, BF16 25 %',
    );
  });

  it('keeps the numbers of a cut name', () => {
    expect(elideName('model.layers.10.self_attn.q_proj.weight', 32)).toBe('model.layers.10…tn.q_proj.weight');
    expect(elideName('short', 32)).toBe('short');
    expect(elideName('a'.repeat(100), 10)).toHaveLength(10);
  });

  it('bounds text of any length and shows what is hidden', () => {
    expect(lineText('a\u202eb')).toBe('a\\u{202e}b');
    expect(hoverText('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(2001);
    expect(lineText('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(401);
  });

  it('suggests names every system accepts', () => {
    expect(suggestedName('../a/b:c', 'f32')).toBe('tensor.._a_b_c.f32');
    expect(suggestedName('', 'npy')).toBe('tensor.npy');
    expect(suggestedName('model.w', 'csv')).toBe('model.w.csv');
  });
});
