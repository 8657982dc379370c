import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';
import { describeFailure, type Failure } from '../../state/failure.ts';
import { storeOneStats } from '../../state/load-session.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';

/** Moving through the rows with a key held down must not start a scan for each of them. */
const SETTLE_MS = 120;

/** A tensor's statistics: from the scan if they have arrived, else asked for ahead of everything else. */
export const useTensorNumbers = (
  row: TensorRow,
): { readonly numbers: TensorNumbers | undefined; readonly failure: Failure | undefined; retry(): void } => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const sessionId = useSession((state) => state.sessionId);
  const numbers = useSession((state) => (state.numbersVersion >= 0 ? state.numbers.get(row.id) : undefined));
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { error, refetch } = useQuery({
    queryKey: ['stats', sessionId, row.id],
    enabled: settled && row.readable && numbers === undefined,
    queryFn: async ({ signal }) => {
      const stats = await workspace.client().api.stats({ sessionId, tensorId: row.id }, signal);
      storeOneStats(session, row.id, stats);
      return true;
    },
  });
  return {
    numbers,
    failure: error === null || numbers !== undefined ? undefined : describeFailure(error),
    retry: () => void refetch(),
  };
};
