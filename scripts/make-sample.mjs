// Makes samples/sample.safetensors, the checkpoint behind "try the sample": a small language model's shapes with
// reproducible random weights, and four things worth finding — a NaN, an all-zero tensor, a layer unlike its siblings, and
// a constant. Run with: npm run build && node scripts/make-sample.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { buildHeader } from '../out/lib/core/formats/safetensors/write-header.js';

const LAYERS = 6;
const HIDDEN = 64;
const INNER = 160;
const WORDS = 512;

/** Mulberry32: a small generator with a fixed seed, so that the sample is the same on every machine. */
let state = 20_261_130;
const uniform = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};
const normal = (std) => std * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());

const bf16 = (values) => {
  const floats = Float32Array.from(values);
  const words = new Uint32Array(floats.buffer);
  // Round to nearest even, as torch does.
  const halves = Uint16Array.from(words, (word) => (word + 0x7fff + ((word >>> 16) & 1)) >>> 16);
  return new Uint8Array(halves.buffer);
};
const f32 = (values) => new Uint8Array(Float32Array.from(values).buffer);
const i64 = (values) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

const tensors = [];
const add = (name, dtype, shape, encode, fill) => {
  const count = shape.reduce((product, size) => product * size, 1);
  const data = encode(Array.from({ length: count }, (_, index) => fill(index)));
  tensors.push({ name, dtype, shape, bytes: data.byteLength, data });
};

add('model.embed_tokens.weight', 'BF16', [WORDS, HIDDEN], bf16, () => normal(0.02));
for (let layer = 0; layer < LAYERS; layer += 1) {
  const at = `model.layers.${layer}`;
  // Layer 4 was never scaled down: its weights are forty times too wide.
  const std = layer === 4 ? 0.8 : 0.02;
  for (const role of ['q_proj', 'k_proj', 'v_proj', 'o_proj']) {
    add(`${at}.self_attn.${role}.weight`, 'BF16', [HIDDEN, HIDDEN], bf16, () => normal(std));
  }
  add(`${at}.mlp.gate_proj.weight`, 'BF16', [INNER, HIDDEN], bf16, () => normal(std));
  add(`${at}.mlp.up_proj.weight`, 'BF16', [INNER, HIDDEN], bf16, () => normal(std));
  const broken = layer === 2;
  add(`${at}.mlp.down_proj.weight`, 'BF16', [HIDDEN, INNER], bf16, (index) =>
    broken && index === 4711 ? Number.NaN : normal(std),
  );
  add(`${at}.input_layernorm.weight`, 'F32', [HIDDEN], f32, () => 1 + normal(0.05));
  add(`${at}.post_attention_layernorm.weight`, 'F32', [HIDDEN], f32, () => (layer === 0 ? 1 : 1 + normal(0.05)));
}
add('model.norm.weight', 'F32', [HIDDEN], f32, () => 1 + normal(0.05));
add('model.rotary.position_ids', 'I64', [1, WORDS], i64, (index) => index);
add('lm_head.bias', 'F32', [WORDS], f32, () => 0);
add('lm_head.weight', 'BF16', [WORDS, HIDDEN], bf16, () => normal(0.02));

const metadata = new Map([
  ['format', 'pt'],
  ['about', 'A made-up model that ships with Tensor Loupe: a NaN, a zero tensor, a constant and an odd layer to find.'],
]);
const { prefix, order } = buildHeader(tensors, metadata);
mkdirSync(new URL('../samples/', import.meta.url), { recursive: true });
const file = new URL('../samples/sample.safetensors', import.meta.url);
writeFileSync(file, Buffer.concat([prefix, ...order.map(({ data }) => data)]));
