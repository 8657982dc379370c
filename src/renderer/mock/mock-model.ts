import type { CheckpointSummary, DtypeShare, TensorRow } from '../../shared/checkpoint-types.ts';
import { countFindings, type Finding, finding, verdictOf } from '../../shared/findings.ts';

/** How a mock tensor's values are spread. */
export type MockKind = 'normal' | 'ones' | 'zero' | 'odd' | 'nan' | 'unreadable' | 'all-nan' | 'empty' | 'index';

/** A synthetic checkpoint. */
export interface MockModel {
  readonly rows: readonly TensorRow[];
  readonly kinds: readonly MockKind[];
  readonly findings: readonly Finding[];
  readonly summary: CheckpointSummary;
}

const FILE = 'model.safetensors';
const BYTES: Readonly<Record<string, number>> = { BF16: 2, F32: 4, I64: 8, U8: 1, F16: 2 };
/** Holds an escape sequence, a bidi override, a zero-width space and markup. */
export const HOSTILE_NAME = 'model.\u001b[2J\u202Eevil\u200b<img src=x onerror=alert(1)>.weight';

interface Draft {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly kind: MockKind;
}

const layer = (index: number): readonly Draft[] => {
  const prefix = `model.layers.${index}`;
  const weight = (name: string, shape: readonly number[], kind: MockKind = 'normal'): Draft => ({
    name: `${prefix}.${name}.weight`,
    dtype: 'BF16',
    shape,
    kind,
  });
  return [
    weight('input_layernorm', [1152], 'ones'),
    weight('mlp.down_proj', [1152, 6912], index === 11 ? 'nan' : 'normal'),
    weight('mlp.gate_proj', [6912, 1152], index === 17 ? 'odd' : 'normal'),
    weight('mlp.up_proj', [6912, 1152]),
    weight('post_attention_layernorm', [1152], 'ones'),
    weight('self_attn.k_proj', [256, 1152]),
    weight('self_attn.o_proj', [1152, 1024], index === 25 ? 'unreadable' : 'normal'),
    weight('self_attn.q_proj', [1024, 1152], index === 4 ? 'zero' : 'normal'),
    weight('self_attn.v_proj', [256, 1152]),
  ];
};

const drafts = (layers: number): readonly Draft[] => [
  { name: 'model.embed_tokens.weight', dtype: 'BF16', shape: [262_144, 1152], kind: 'normal' },
  ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
  { name: 'model.norm.weight', dtype: 'F32', shape: [1152], kind: 'ones' },
  { name: 'model.rotary.inv_freq', dtype: 'F32', shape: [64], kind: 'normal' },
  { name: 'model.position_ids', dtype: 'I64', shape: [1, 4096], kind: 'index' },
  { name: 'model.conv.patches.weight', dtype: 'F16', shape: [8, 3, 14, 14], kind: 'normal' },
  { name: 'debug.all_nan', dtype: 'F32', shape: [16], kind: 'all-nan' },
  { name: 'debug.empty', dtype: 'F32', shape: [0, 8], kind: 'empty' },
  { name: 'step', dtype: 'I64', shape: [], kind: 'index' },
  { name: HOSTILE_NAME, dtype: 'U8', shape: [4], kind: 'index' },
];

const toRows = (list: readonly Draft[]): readonly TensorRow[] => {
  let offset = 28_744;
  return list.map(({ name, dtype, shape, kind }, id): TensorRow => {
    const parameters = shape.reduce((product, size) => product * size, 1);
    const bytes = parameters * (BYTES[dtype] ?? 1);
    const row: TensorRow = {
      id,
      name,
      dtype,
      shape,
      parameters,
      bytes,
      file: FILE,
      offset,
      layout: 'contiguous',
      readable: kind !== 'unreadable',
      ...(kind === 'unreadable' ? { problem: 'its last 4,096 bytes lie beyond the end of the file' } : {}),
    };
    offset += bytes;
    return row;
  });
};

const findingsOf = (rows: readonly TensorRow[], kinds: readonly MockKind[]): readonly Finding[] =>
  rows.flatMap((row, id): readonly Finding[] => {
    const where = {
      file: row.file,
      tensor: row.name,
      tensorId: id,
      ...(row.offset === undefined ? {} : { offset: row.offset }),
    };
    switch (kinds[id]) {
      case 'unreadable':
        return [
          finding(
            'truncated',
            `the file ends 4,096 bytes before the end of tensor "${row.name}" (found 2,355,200 of 2,359,296 bytes)`,
            where,
          ),
        ];
      case 'nan':
        return [finding('has-nan', `tensor "${row.name}" holds 3 NaN among 7,962,624 values`, where)];
      case 'zero':
        return [finding('all-zero', `tensor "${row.name}" holds only zeros`, where)];
      default:
        return [];
    }
  });

const sharesOf = (rows: readonly TensorRow[]): readonly DtypeShare[] => {
  const shares = new Map<string, { dtype: string; tensors: number; parameters: number; bytes: number }>();
  for (const row of rows) {
    const share = shares.get(row.dtype) ?? { dtype: row.dtype, tensors: 0, parameters: 0, bytes: 0 };
    share.tensors += 1;
    share.parameters += Number(row.parameters ?? 0);
    share.bytes += row.bytes ?? 0;
    shares.set(row.dtype, share);
  }
  return [...shares.values()].sort((a, b) => b.bytes - a.bytes);
};

const CONFIG = JSON.stringify({
  architectures: ['GemmaForCausalLM'],
  hidden_size: 1152,
  layers: 26,
  rope: { theta: 1e6 },
});

/** Builds a synthetic transformer checkpoint with about nine tensors a layer. */
export const makeMockModel = (layers = 26): MockModel => {
  const list = drafts(layers);
  const rows = toRows(list);
  const kinds = list.map(({ kind }) => kind);
  const findings = findingsOf(rows, kinds);
  const dataBytes = rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  return {
    rows,
    kinds,
    findings,
    summary: {
      format: 'safetensors',
      files: [{ path: `/models/gemma/${FILE}`, bytes: dataBytes + 28_744 - 4096 }],
      shards: [],
      tensors: rows.length,
      parameters: rows.reduce((sum, row) => sum + Number(row.parameters ?? 0), 0),
      dataBytes,
      dtypes: sharesOf(rows),
      pickles: 0,
      valueTrees: 0,
      metadata: [
        { key: 'format', type: 'string', value: 'pt' },
        { key: 'config', type: 'string', value: CONFIG },
        { key: 'note', type: 'string', value: 'first line\nsecond line \u202Ereversed' },
      ],
      findings: countFindings(findings),
      verdict: verdictOf(findings),
      sentence: `Damaged: 1 of ${rows.length} tensors cut off, 4,096 bytes missing`,
    },
  };
};
