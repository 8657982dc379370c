import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layerRoles, rangeText } from '../../src/shared/layer-roles.ts';

const roles = (names: readonly string[]) => layerRoles(names.length, (id) => names[id] ?? '');
const labels = (names: readonly string[]): string[] => roles(names).map(({ label }) => label);
const numbered = <T>(count: number, name: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => name(index));

describe('roles of tensors', () => {
  it('are what layers repeat', () => {
    const names = [
      'model.embed_tokens.weight',
      ...numbered(12, (i) => `model.layers.${i}.self_attn.q_proj.weight`),
      ...numbered(12, (i) => `model.layers.${i}.input_layernorm.weight`),
      'lm_head.weight',
    ];
    expect(roles(names)).toMatchObject([
      {
        label: 'model.layers.{}.self_attn.q_proj.weight',
        pattern: 'model.layers.{0..11}.self_attn.q_proj.weight',
        members: numbered(12, () => '').map((_, index) => ({ id: index + 1, index, inner: [] })),
      },
      { label: 'model.layers.{}.input_layernorm.weight', members: { length: 12 } },
    ]);
  });

  it('come in order of the layers, not of the file', () => {
    const names = ['h.10.w', 'h.2.w', 'h.0.w'];
    expect(roles(names)[0]?.members.map(({ id, index }) => [id, index])).toEqual([
      [2, 0],
      [1, 2],
      [0, 10],
    ]);
    expect(roles(names)[0]?.indexes).toEqual([0, 2, 10]);
    expect(roles(names)[0]?.pattern).toBe('h.{0,2,10}.w');
  });

  it('a second number of few values makes roles of its own, as in T5', () => {
    const names = numbered(6, (i) => [
      `encoder.block.${i}.layer.0.SelfAttention.q.weight`,
      `encoder.block.${i}.layer.0.layer_norm.weight`,
      `encoder.block.${i}.layer.1.layer_norm.weight`,
    ]).flat();
    expect(labels(names)).toEqual([
      'encoder.block.{}.layer.0.SelfAttention.q.weight',
      'encoder.block.{}.layer.0.layer_norm.weight',
      'encoder.block.{}.layer.1.layer_norm.weight',
    ]);
  });

  it('the number with most values counts the layers, wherever it stands', () => {
    const names = ['down_blocks.1', 'down_blocks.2'].flatMap((block) =>
      numbered(10, (i) => `${block}.attentions.0.transformer_blocks.${i}.attn1.to_q.weight`),
    );
    expect(labels(names)).toEqual([
      'down_blocks.1.attentions.0.transformer_blocks.{}.attn1.to_q.weight',
      'down_blocks.2.attentions.0.transformer_blocks.{}.attn1.to_q.weight',
    ]);
  });

  it('experts are siblings in a layer, however many', () => {
    for (const spell of [
      (layer: number, expert: number) => `layers.${layer}.mlp.experts.${expert}.up_proj.weight`,
      (layer: number, expert: number) => `layers.${layer}.mlp.experts.expert_${expert}.wi.weight`,
    ]) {
      const names = numbered(3, (layer) => numbered(8, (expert) => spell(layer, expert))).flat();
      const [role, ...others] = roles(names);
      expect(others).toEqual([]);
      expect(role?.indexes).toEqual([0, 1, 2]);
      expect(role?.members).toHaveLength(24);
      expect(role?.members[9]).toEqual({ id: 9, index: 1, inner: [1] });
      expect(role?.label).toMatch(/^layers\.\{\}\.mlp\.experts\.\*\./);
    }
    expect(labels(numbered(8, (i) => `moe.experts.${i}.w1`))).toEqual(['moe.experts.{}.w1']);
  });

  it('a second number of many values tells instances apart', () => {
    const names = numbered(40, (a) => numbered(30, (b) => `tower.${a}.head.${b}.w`)).flat();
    expect(roles(names)).toMatchObject([{ label: 'tower.{}.head.*.w', members: { length: 1200 } }]);
  });

  it('need two layers: names that occur once, or twice the same, are none', () => {
    expect(roles([])).toEqual([]);
    expect(roles(['a.0.w', 'b.1.w', 'w', '7'])).toEqual([]);
    expect(roles(['a.0.w', 'a.0.w'])).toEqual([]);
    expect(roles(['0', '1', '2'])).toMatchObject([{ label: '{}', pattern: '{0..2}' }]);
  });

  it('keep layers that a damaged file holds twice', () => {
    expect(roles(['a.0.w', 'a.1.w', 'a.1.w', 'a.01.w'])[0]?.members.map(({ id, index }) => [id, index])).toEqual([
      [0, 0],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('no name is taken for a pattern or a member of objects', () => {
    expect(roles(['a.{}.w', 'a.0.w', 'a..w', 'a.1.w'])).toMatchObject([{ members: [{ id: 1 }, { id: 3 }] }]);
    expect(labels(['__proto__.0.constructor', '__proto__.1.constructor'])).toEqual(['__proto__.{}.constructor']);
    expect(roles(['a.1e3.w', 'a.-1.w', 'a. 1.w', 'a.１.w', 'a.0x1.w'])).toEqual([]);
    expect(roles(['a.12345678901234567890.w', 'a.12345678901234567891.w'])).toEqual([]);
  });

  it('names of a million dots cost no more than their length', () => {
    const long = '.'.repeat(1_000_000);
    expect(roles([`a.0${long}`, `a.1${long}`, `${long}.0`, `${long}.1`])).toMatchObject([
      { indexes: [0, 1], members: [{ id: 0 }, { id: 1 }] },
    ]);
    expect(roles(numbered(2, (i) => `${'0.'.repeat(500_000)}${i}`))).toEqual([]);
  });

  it('150,000 names of a mixture of experts are grouped', () => {
    const names = numbered(150_000, (i) => {
      const layer = Math.floor(i / 1536);
      return `model.layers.${layer}.mlp.experts.${Math.floor((i % 1536) / 3)}.${['gate', 'up', 'down'][i % 3]}_proj.weight`;
    });
    const found = roles(names);
    expect(found).toHaveLength(3);
    expect(found.reduce((sum, { members }) => sum + members.length, 0)).toBe(150_000);
  });

  it('every name is in one role at most, and a role holds what its label says', () => {
    const part = fc.oneof(fc.nat(3).map(String), fc.constantFrom('layers', 'experts', 'w', '', '{}', '*'));
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 5 }), { maxLength: 40 }), (paths) => {
        const names = paths.map((parts) => parts.join('.'));
        const seen = new Set<number>();
        for (const { label, members, indexes } of roles(names)) {
          expect(indexes.length).toBeGreaterThan(1);
          expect([...indexes]).toEqual([...new Set(members.map(({ index }) => index))].sort((a, b) => a - b));
          for (const { id } of members) {
            expect(seen.has(id)).toBe(false);
            seen.add(id);
            const parts = (names[id] ?? '').split('.');
            label.split('.').forEach((own, at) => {
              expect(own === parts[at] || own === '{}' || own === '*').toBe(true);
            });
          }
        }
      }),
    );
  });
});

describe('layers in short', () => {
  it.each([
    [[0, 1, 2, 3], '0..3'],
    [[0, 1, 3, 5, 6], '0..1,3,5..6'],
    [[7], '7'],
    [[], ''],
  ])('%j is %s', (indexes, text) => {
    expect(rangeText(indexes)).toBe(text);
  });

  it('names the first runs of many', () => {
    expect(rangeText(Array.from({ length: 20 }, (_, i) => i * 2))).toBe('0,2,4,6,8,10,12,14,… 12 more');
  });
});
