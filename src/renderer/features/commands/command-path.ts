import type { SessionState } from '../../state/session.ts';

/**
 * The path a checkpoint is named by, in the status bar and on a command line. A sharded model is named by what was opened,
 * since its first shard alone may be a file like any other.
 */
export const commandPath = ({
  path,
  openedPath,
  title,
  summary,
}: Pick<SessionState, 'path' | 'openedPath' | 'title' | 'summary'>): string =>
  (summary.shards.length > 0 ? (openedPath ?? path) : path) ?? title;
