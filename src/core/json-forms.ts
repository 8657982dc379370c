import type { CheckpointSummary } from '../shared/checkpoint-types.ts';
import type { Finding } from '../shared/findings.ts';
import type { JsonInput } from '../shared/strict-json.ts';

/** A finding as it is printed: only what it has. */
export const findingJson = ({ code, severity, message, file, tensor, tensorId, offset }: Finding): JsonInput => ({
  code,
  severity,
  message,
  file,
  tensor,
  tensorId,
  offset,
});

/** What a checkpoint holds, without what was found in it. Metadata values that are no strings are given as their JSON text. */
export const summaryJson = (summary: CheckpointSummary): { readonly [field: string]: JsonInput } => ({
  format: summary.format,
  files: summary.files.map(({ path, bytes }) => ({ path, bytes })),
  tensors: summary.tensors,
  parameters: summary.parameters,
  dataBytes: summary.dataBytes,
  dtypes: Object.fromEntries(
    summary.dtypes.map(({ dtype, tensors, parameters, bytes }) => [dtype, { tensors, parameters, bytes }]),
  ),
  metadata: Object.fromEntries(summary.metadata.map(({ key, value }) => [key, value])),
  code: summary.code?.map(({ name, bytes }) => ({ name, bytes })),
});
