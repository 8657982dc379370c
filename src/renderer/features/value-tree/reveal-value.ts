import type { InspectorClient } from '../../../rpc/inspector.ts';
import { type OpenValue, openedAt, setOpened, type ValuePath } from './open-values.ts';

/** Opens everything above a value. The numbers of children on the way are asked of the service. @throws as its call. */
export const openAbove = async (
  api: InspectorClient['api'],
  sessionId: number,
  trees: OpenValue,
  path: ValuePath,
): Promise<OpenValue> => {
  let open = trees;
  const [tree = 0] = path;
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (openedAt(open, above) === undefined) {
      const { total } = await api.valueChildren({ sessionId, tree, at: above.slice(1), start: 0, count: 0 });
      open = setOpened(open, above, total);
    }
  }
  return open;
};
