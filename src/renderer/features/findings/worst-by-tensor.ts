import { type Finding, SEVERITIES } from '../../../shared/findings.ts';

/** For each tensor with findings, the worst of them (the first of equals). */
export const worstByTensor = (findings: readonly Finding[]): ReadonlyMap<number, Finding> => {
  const worst = new Map<number, Finding>();
  for (const finding of findings) {
    const { tensorId } = finding;
    if (tensorId === undefined) {
      continue;
    }
    const known = worst.get(tensorId);
    if (known === undefined || SEVERITIES.indexOf(finding.severity) < SEVERITIES.indexOf(known.severity)) {
      worst.set(tensorId, finding);
    }
  }
  return worst;
};
