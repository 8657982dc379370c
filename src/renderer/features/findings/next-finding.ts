import type { Finding } from '../../../shared/findings.ts';
import { usePreferences } from '../../state/preferences.ts';
import { revealTensor, type SessionStore } from '../../state/session.ts';
import { shownPlaces } from '../table/shown-rows.ts';

/** The tensor a finding is about: by id, else by its name. */
export const tensorOf = (session: SessionStore, finding: Finding): number | undefined =>
  finding.tensorId ??
  (finding.tensor === undefined ? undefined : session.getState().rows.find(({ name }) => name === finding.tensor)?.id);

/** Selects a finding and the tensor it is about. */
export const goToFinding = (session: SessionStore, index: number): void => {
  const state = session.getState();
  const finding = state.findings[index];
  if (finding === undefined) {
    return;
  }
  session.setState({ findingAt: index });
  const id = tensorOf(session, finding);
  if (id !== undefined) {
    const isHidden = !shownPlaces(state).some((place) => state.rows[place]?.id === id);
    revealTensor(session, id, isHidden);
  }
};

/** Goes to the finding after the current one, around the end, and shows the list. */
export const goToNextFinding = (session: SessionStore): void => {
  const { findings, findingAt, severityShown } = session.getState();
  const preferences = usePreferences.getState();
  preferences.togglePanel('bottom', true);
  preferences.set({ bottomTab: 'findings' });
  for (let step = 1; step <= findings.length; step += 1) {
    const index = ((findingAt ?? -1) + step) % findings.length;
    const finding = findings[index];
    if (finding !== undefined && severityShown[finding.severity]) {
      goToFinding(session, index);
      return;
    }
  }
};
