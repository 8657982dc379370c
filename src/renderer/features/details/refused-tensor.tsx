import { Ban } from 'lucide-react';
import type { JSX } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { usePreferences } from '../../state/preferences.ts';
import { Button } from '../../widgets/button.tsx';

/** Why a tensor's values are not shown, and what to do next. */
export const RefusedTensor = ({ row }: { readonly row: TensorRow }): JSX.Element => {
  const { set, togglePanel } = usePreferences.getState();
  const isAbsent = row.layout === 'absent';
  return (
    <div className="message" data-state-of-panel="refused">
      <Ban size={20} aria-hidden className="message-icon" />
      <p className="message-title">{isAbsent ? 'This tensor is absent' : 'This tensor cannot be read'}</p>
      <p className="message-text file-text">{escapeText(row.problem ?? 'its bytes are damaged')}</p>
      <p className="message-text">
        {isAbsent
          ? 'Put the missing file beside the others and open the model again.'
          : 'Nothing is guessed or filled in. Download the file again, or look at the findings for the place of the damage.'}
      </p>
      <Button
        onClick={() => {
          set({ bottomTab: 'findings' });
          togglePanel('bottom', true);
        }}
      >
        Show findings
      </Button>
    </div>
  );
};
