import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PickleOverview } from '../../shared/pickle-types.ts';
import { useSession, useWorkspace } from './context.tsx';

/** What the pickles of the checkpoint are, fetched when it is first looked at. */
export const usePickles = (): UseQueryResult<PickleOverview> => {
  const workspace = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const pickles = useSession((state) => state.summary.pickles);
  return useQuery({
    queryKey: ['pickles', sessionId],
    queryFn: ({ signal }) => workspace.client().api.pickles({ sessionId }, signal),
    enabled: pickles > 0,
  });
};
