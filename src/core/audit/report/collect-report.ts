import type { CheckpointSummary } from '../../../shared/checkpoint-types.ts';
import type { Finding, FindingCode } from '../../../shared/findings.ts';
import { layerRoles } from '../../../shared/layer-roles.ts';
import { layerSeries } from '../../../shared/layer-series.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { type FolderStats, isFloatDtype } from '../../scan/folder-fold.ts';
import type { TensorTable } from '../../tensor/tensor-table.ts';
import { isComputedBuffer, scaleOf, type TensorFacts } from '../tensor-facts.ts';
import type { AuditReport, OddTensor, ReportedHash, RoleProfile } from './report-types.ts';

/** What a report is made of. */
export interface ReportInput {
  readonly program: string;
  readonly created: string;
  readonly path: string;
  readonly summary: CheckpointSummary;
  readonly findings: readonly Finding[];
  readonly table: TensorTable;
  readonly facts: ReadonlyMap<number, TensorFacts>;
  readonly folders: readonly FolderStats[];
  readonly hashes: readonly ReportedHash[];
}

/** Findings about values: the tensors they name are shown with their histograms. */
const ABOUT_VALUES: ReadonlySet<FindingCode> = new Set([
  'has-nan',
  'has-infinity',
  'saturated',
  'layer-outlier',
  'scale-not-positive',
  'zero-point-out-of-range',
  'dead-rows',
  'dead-columns',
  'bool-not-0-or-1',
]);

/** Levels of folders below the whole model that a report lists. */
const FOLDER_LEVELS = 2;

const profilesOf = ({ table, facts, findings }: ReportInput): RoleProfile[] => {
  const outlying = new Set(
    findings.flatMap(({ code, tensorId }) => (code === 'layer-outlier' ? (tensorId ?? []) : [])),
  );
  const isFloat = (id: number): boolean => {
    const info = dtypeInfo(table.dtype(id));
    return info !== undefined && isFloatDtype(info);
  };
  return layerRoles(table.length, (id) => table.name(id))
    .filter(({ label, members }) => !isComputedBuffer(label) && members.every(({ id }) => isFloat(id)))
    .map((role): RoleProfile => {
      const points = layerSeries(role, (id) => {
        const stats = facts.get(id)?.stats;
        return stats === undefined ? undefined : scaleOf(stats);
      });
      const outliers = role.members.filter(({ id }) => outlying.has(id)).map(({ index }) => index);
      const parameters = role.members.reduce((sum, { id }) => sum + Number(table.count(id) ?? 0), 0);
      const { label, pattern } = role;
      return { label, pattern, parameters, points, outliers: [...new Set(outliers)] };
    })
    .filter(({ points }) => points.length > 1)
    .sort((a, b) => b.outliers.length - a.outliers.length || b.parameters - a.parameters);
};

const oddTensors = ({ table, facts, findings }: ReportInput): OddTensor[] => {
  const codes = new Map<number, Set<string>>();
  for (const { code, tensorId } of findings) {
    if (tensorId !== undefined && ABOUT_VALUES.has(code)) {
      codes.set(tensorId, (codes.get(tensorId) ?? new Set<string>()).add(code));
    }
  }
  return [...codes].flatMap(([id, own]): OddTensor[] => {
    const stats = facts.get(id)?.stats;
    return stats === undefined ? [] : [{ stats, shape: `[${table.shape(id).join(' ')}]`, codes: [...own] }];
  });
};

/** Depth of a folder by its path; the whole model has none. */
const depthOf = (path: string | undefined): number => (path === undefined ? 0 : path.split('.', 64).length);

/** The outermost folders: those with few others around them. */
const outerFolders = (folders: readonly FolderStats[]): AuditReport['folders'] => {
  const kept: (FolderStats & { readonly depth: number })[] = [];
  const above: FolderStats[] = [];
  for (const folder of [...folders].sort((a, b) => a.folder - b.folder)) {
    const isAbove = (outer: FolderStats): boolean =>
      outer.path === undefined || folder.path?.startsWith(`${outer.path}.`) === true;
    while (above.length > 0 && !isAbove(above.at(-1) ?? folder)) {
      above.pop();
    }
    if (above.length <= FOLDER_LEVELS) {
      kept.push({ ...folder, depth: Math.min(above.length, depthOf(folder.path)) });
    }
    above.push(folder);
  }
  return kept;
};

/** Gathers what a report says. */
export const collectReport = (input: ReportInput): AuditReport => {
  const { program, created, path, summary, findings, hashes, facts } = input;
  return {
    program,
    created,
    path,
    summary,
    findings,
    hashes,
    folders: outerFolders(input.folders),
    profiles: profilesOf(input),
    odd: oddTensors(input),
    tensors: [...facts.values()].sort((a, b) => a.tensorId - b.tensorId).map(({ stats }) => stats),
  };
};
