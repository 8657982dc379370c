import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import { type LayerRole, rangeText } from '../../shared/layer-roles.ts';
import { quoteName } from '../quote-name.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';

/** Distinct layers of some members, in short. */
const layersText = (members: LayerRole['members']): string => {
  const indexes = [...new Set(members.map(({ index }) => index))];
  return `${indexes.length === 1 ? 'layer' : 'layers'} ${rangeText(indexes)}`;
};

/** A finding for each role whose tensors are not all of one dtype: which dtype most have, and which layers have another. */
export const mixedDtypeFindings = (roles: readonly LayerRole[], table: TensorTable): Finding[] =>
  roles.flatMap((role) => {
    const byDtype = new Map<string, LayerRole['members'][number][]>();
    for (const member of role.members) {
      const dtype = table.dtype(member.id);
      // Of a missing shard's tensors no dtype is known.
      const own = byDtype.get(dtype);
      if (own !== undefined) {
        own.push(member);
      } else if (dtype !== '') {
        byDtype.set(dtype, [member]);
      }
    }
    const [[usual] = [], ...others] = [...byDtype].sort((a, b) => b[1].length - a[1].length);
    const [, [odd] = []] = others[0] ?? [];
    if (usual === undefined || odd === undefined) {
      return [];
    }
    const rest = others.map(([dtype, members]) => `${dtype} in ${layersText(members)}`).join(', ');
    const count = byDtype.get(usual)?.length ?? 0;
    const message = `${quoteName(role.label)} is ${usual} in ${formatInt(count)} of ${formatInt(role.members.length)} tensors, but ${rest}`;
    const { file, name } = table.row(odd.id);
    return [finding('mixed-dtypes', message, { file, tensor: name, tensorId: odd.id })];
  });
