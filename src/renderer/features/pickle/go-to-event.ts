import type { Finding } from '../../../shared/findings.ts';
import { usePreferences } from '../../state/preferences.ts';
import type { SessionStore } from '../../state/session.ts';

/** Shows the import or call that a finding is about, in the list of what the pickles would run. */
export const goToEvent = (session: SessionStore, { pickle }: Finding): void => {
  const preferences = usePreferences.getState();
  preferences.togglePanel('bottom', true);
  preferences.set({ bottomTab: 'pickle' });
  session.setState({ eventWanted: pickle });
};
