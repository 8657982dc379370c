import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FolderListing } from '../../../shared/api.ts';
import { useWorkspace } from '../../state/context.tsx';
import { describeFailure, type Failure } from '../../state/failure.ts';

/** A folder of the server that is looked into, and what is typed into the field above it. */
export interface FolderView {
  readonly listing: FolderListing | undefined;
  readonly failure: Failure | undefined;
  /** What the field shows. */
  readonly text: string;
  /** Whether something was typed that is not listed yet. */
  readonly isTyped: boolean;
  /** Absolute path of the folder meant now; undefined when there is none. */
  readonly chosen: string | undefined;
  type(text: string): void;
  enter(path: string | undefined): void;
}

/** Looks into the server's folders, beginning at `start`, or where the server would. */
export const useFolder = (start?: string): FolderView => {
  const workspace = useWorkspace();
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const { data, error } = useQuery({
    queryKey: ['folder', path ?? ''],
    queryFn: ({ signal }) => workspace.client().api.listFolder(path === undefined ? {} : { path }, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const listed = error !== null || data?.isTop === true ? undefined : data?.path;
  return {
    listing: data,
    failure: error === null ? undefined : describeFailure(error),
    text: typed ?? data?.path ?? '',
    isTyped: typed !== undefined,
    chosen: typed === undefined ? listed : typed.trim() === '' ? undefined : typed.trim(),
    type: setTyped,
    enter: (folder) => {
      setTyped(undefined);
      setPath(folder);
    },
  };
};
