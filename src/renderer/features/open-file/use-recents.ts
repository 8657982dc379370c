import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { RecentFile } from '../../../shared/api.ts';
import { useWorkspace, useWorkspaceState } from '../../state/context.tsx';

const KEY = ['recents'];

/** The files opened last, newest first; asked again whenever a tab was opened. */
export const useRecents = (): UseQueryResult<readonly RecentFile[]> => {
  const workspace = useWorkspace();
  const isOpen = useWorkspaceState((state) => state.connection === 'open');
  const readyTabs = useWorkspaceState(({ tabs }) => tabs.filter(({ content }) => content.state === 'ready').length);
  return useQuery({
    queryKey: [...KEY, readyTabs],
    queryFn: () => workspace.client().api.recents({}),
    enabled: isOpen,
    staleTime: 0,
    placeholderData: (previous) => previous,
  });
};

/** Clears the list of recent files. */
export const useForgetRecents = (): UseMutationResult<undefined, Error, void> => {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => workspace.client().api.forgetRecents({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
    onError: (error) => workspace.toasts.fail('Clearing the list failed', error),
  });
};
