import type { Finding } from '../../shared/findings.ts';
import { layerRoles } from '../../shared/layer-roles.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';
import { layerOutlierFindings } from './layer-outliers.ts';
import { mixedDtypeFindings } from './mixed-dtypes.ts';
import { quantisationFindings } from './quantisation.ts';
import { saturationFinding } from './saturation.ts';
import type { TensorFacts } from './tensor-facts.ts';

/**
 * What the numbers of all tensors together give away: numbers cut off at their dtype's limits, odd scales of quantised
 * weights, layers unlike their siblings, roles of several dtypes. Reads nothing.
 *
 * @param facts by tensor id; of tensors that could not be scanned there are none
 */
export const groupFindings = (table: TensorTable, facts: ReadonlyMap<number, TensorFacts>): Finding[] => {
  const roles = layerRoles(table.length, (id) => table.name(id));
  const ordered = [...facts.values()].sort((a, b) => a.tensorId - b.tensorId);
  return [
    ...ordered.flatMap((fact) => saturationFinding(fact, table.row(fact.tensorId).file) ?? []),
    ...quantisationFindings(table, ordered),
    ...layerOutlierFindings(roles, table, (id) => facts.get(id)),
    ...mixedDtypeFindings(roles, table),
  ];
};
