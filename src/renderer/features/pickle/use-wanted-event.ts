import { useEffect } from 'react';
import type { PickleGrade } from '../../../shared/pickle-types.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';

/** Finds the event that a finding is about, switching its grade on, and tells its place among the shown ones. */
export const useWantedEvent = (
  shown: Readonly<Record<PickleGrade, boolean>>,
  grades: readonly PickleGrade[],
  onFound: (index: number) => void,
): void => {
  const { client, toasts } = useWorkspace();
  const session = useSessionStore();
  const wanted = useSession((state) => state.eventWanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another event or other grades only
  useEffect(() => {
    if (wanted === undefined) {
      return undefined;
    }
    const controller = new AbortController();
    const { sessionId } = session.getState();
    const { place: pickle, byte } = wanted;
    client()
      .api.findPickleEvent({ sessionId, pickle, byte, grades: [...grades] }, controller.signal)
      .then((found) => {
        if (controller.signal.aborted) {
          return;
        }
        if (found !== undefined && found.index === undefined) {
          session.setState({ gradesShown: { ...shown, [found.grade]: true } });
          return;
        }
        session.setState({ eventWanted: undefined });
        if (found?.index === undefined) {
          toasts.info('No import or call comes before that byte', 'The finding is about the stream itself.');
        } else {
          onFound(found.index);
        }
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) {
          session.setState({ eventWanted: undefined });
          toasts.fail('The event could not be found', error);
        }
      });
    return () => controller.abort();
  }, [wanted, grades.join()]);
};
