import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Histogram } from '../../../shared/checkpoint-types.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { finiteCount, type HistogramRange, quantileOf } from './histogram-range.ts';
import { type AskHistogram, findTailRange } from './quantile.ts';

/** Bars of the big histogram. */
export const BINS = 128;

interface Bounds {
  readonly low: number;
  readonly high: number;
}

const boundsOf = async (
  range: HistogramRange,
  numbers: TensorNumbers,
  ask: AskHistogram,
): Promise<Bounds | undefined> => {
  switch (range.kind) {
    case 'custom':
      return range;
    case 'p1': {
      const low = quantileOf(numbers, 0.01);
      const high = quantileOf(numbers, 0.99);
      return low === undefined || high === undefined ? undefined : { low, high };
    }
    case 'p0.1':
      return findTailRange(ask, finiteCount(numbers), 0.001);
    default:
      return undefined;
  }
};

/** The histogram of a tensor over a range; asked for once its statistics are known. */
export const useHistogram = (
  tensorId: number,
  numbers: TensorNumbers | undefined,
  range: HistogramRange,
): UseQueryResult<Histogram> => {
  const workspace = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  return useQuery({
    queryKey: ['histogram', sessionId, tensorId, range],
    enabled: numbers?.min !== undefined,
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }) => {
      const { api } = workspace.client();
      const ask: AskHistogram = (bins, bounds) => api.histogram({ sessionId, tensorId, bins, ...bounds }, signal);
      const bounds = numbers === undefined ? undefined : await boundsOf(range, numbers, ask);
      // A range of one value would have no width.
      return ask(
        BINS,
        bounds === undefined || bounds.low >= bounds.high ? undefined : { low: bounds.low, high: bounds.high },
      );
    },
  });
};
