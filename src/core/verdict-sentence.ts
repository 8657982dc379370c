import { meansIncomplete, type Verdict } from '../shared/findings.ts';
import { formatInt } from '../shared/format-number.ts';
import type { CheckpointContent } from './checkpoint-content.ts';

const plural = (count: number, one: string): string => `${formatInt(count)} ${one}${count === 1 ? '' : 's'}`;

const damaged = ({ findings, missingBytes, table }: CheckpointContent): string => {
  const errors = findings.list().filter(({ severity }) => severity === 'error');
  const cut = findings.count('truncated');
  if (cut > 0) {
    const others = findings.counts().error - cut;
    const more = others > 0 ? `, and ${plural(others, 'other error')}` : '';
    return `Damaged: ${formatInt(cut)} of ${plural(table.length, 'tensor')} cut off, ${plural(missingBytes, 'byte')} missing${more}`;
  }
  const [first] = errors;
  const more = findings.counts().error - 1;
  return `Damaged: ${first?.message ?? 'see the findings'}${more > 0 ? `, and ${plural(more, 'more error')}` : ''}`;
};

const incomplete = ({ findings, format }: CheckpointContent): string => {
  const [first] = findings.list().filter(({ code }) => meansIncomplete(code));
  const lead = format === 'unrecognised' ? 'Not a checkpoint' : 'Incomplete';
  return `${lead}: ${first?.message ?? 'something could not be scanned'}`;
};

/** The verdict as one sentence for people. Text from the file inside it is raw. */
export const verdictSentence = (content: CheckpointContent, verdict: Verdict): string => {
  switch (verdict) {
    case 'dangerous': {
      const [first] = content.findings.list().filter(({ severity }) => severity === 'danger');
      return `Dangerous: ${first?.message ?? 'see the findings'}`;
    }
    case 'damaged':
      return damaged(content);
    case 'incomplete':
      return incomplete(content);
    case 'warnings': {
      const [first] = content.findings.list().filter(({ severity }) => severity === 'warning');
      const { warning } = content.findings.counts();
      return warning === 1 && first !== undefined ? `1 warning: ${first.message}` : plural(warning, 'warning');
    }
    case 'clean':
      return content.format === 'safetensors'
        ? 'Clean: structure whole; this format holds no code'
        : 'Clean: structure whole, no suspicious imports found';
  }
};
