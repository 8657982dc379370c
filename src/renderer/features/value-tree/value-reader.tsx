import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import type { JSX } from 'react';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ValueRow } from '../../../shared/pickle-types.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import { describeFailure } from '../../state/failure.ts';
import { Button, IconButton } from '../../widgets/button.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { writeClipboard } from '../commands/copy-text.ts';
import { prettyJson } from '../metadata/pretty-json.ts';
import type { ValuePath } from './open-values.ts';
import { hasLongText, KIND_WORDS, keyText } from './value-words.ts';

const lines = (text: string): string => text.split('\n').map(escapeText).join('\n');

/** The whole of a text or of bytes, fetched. */
const LongText = ({ path }: { readonly path: ValuePath }): JSX.Element => {
  const { client } = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const [tree = 0, ...at] = path;
  const { data, error, refetch } = useQuery({
    queryKey: ['value-text', sessionId, path.join()],
    queryFn: ({ signal }) => client().api.valueText({ sessionId, tree, at }, signal),
  });
  if (error !== null) {
    return (
      <FailureMessage where="The text could not be read" failure={describeFailure(error)}>
        <Button onClick={() => void refetch()}>Try again</Button>
      </FailureMessage>
    );
  }
  if (data === undefined) {
    return <Skeleton label="Loading the text" lines={2} />;
  }
  const more = data.length - data.text.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text must be reachable by keyboard */}
      <section className="value-scroll" tabIndex={0} aria-label="Whole text">
        <pre className="value-whole mono file-text">{lines(prettyJson(data.text) ?? data.text)}</pre>
      </section>
      {more > 0 ? (
        <p className="muted" data-state-of-panel="partial">
          {formatInt(more)} more characters are not shown.
        </p>
      ) : null}
    </>
  );
};

/** What there is to read about one value: its place, kind and whole text. */
export const ValueReader = ({ row, path }: { readonly row: ValueRow; readonly path: ValuePath }): JSX.Element => {
  const { client, toasts } = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const [tree = 0, ...at] = path;
  const copy = (): void => {
    client()
      .api.valueText({ sessionId, tree, at })
      .then(({ text }) => writeClipboard(text))
      .then(
        () => toasts.info('Copied the value'),
        (error: unknown) => toasts.fail('Copying failed', error),
      );
  };
  return (
    <section className="value-reader" aria-label="The selected value">
      <header>
        <FileText className="mono" text={keyText(row)} length={40} />
        <span className="muted">
          {KIND_WORDS[row.kind]}
          {row.children > 0 ? `, ${formatInt(row.children)} inside` : ''} · byte {formatInt(row.byte)}
        </span>
        <IconButton label="Copy value" onClick={copy}>
          <Copy size={13} aria-hidden />
        </IconButton>
      </header>
      {hasLongText(row) ? (
        <LongText path={path} />
      ) : (
        <p className="value-whole mono file-text">{escapeText(row.text)}</p>
      )}
      {row.tensorId !== undefined ? (
        <p className="muted">A tensor of the table; Enter or a click selects it there.</p>
      ) : row.kind === 'call' ? (
        <p className="muted">
          Only running the pickle would make this object; it is shown as its import and arguments.
        </p>
      ) : null}
    </section>
  );
};
