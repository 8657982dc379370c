import { type JSX, useEffect, useMemo, useRef, useState } from 'react';
import { elideMiddle, escapeText } from '../../../shared/escape-text.ts';
import { formatStatistic } from '../../../shared/format-number.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { revealTensor } from '../../state/session.ts';
import { useResolvedTheme } from '../../theme/use-theme.ts';
import { useSize } from '../../widgets/use-size.ts';
import { lineStyle, makeProfileChart, type ProfileHover } from './make-profile-chart.ts';
import {
  MOST_LINES,
  PROFILE_STATISTICS,
  type ProfileLine,
  type ProfileStatistic,
  profileLines,
  profileRoles,
  STATISTIC_NAMES,
} from './profile-lines.ts';
import './depth-profile.css';

const shown = (text: string): string => escapeText(elideMiddle(text, 90));

/** The same points as a table, for the keyboard, screen readers and tests. */
const PointTable = ({
  lines,
  onPick,
}: {
  readonly lines: readonly ProfileLine[];
  onPick(id: number): void;
}): JSX.Element => (
  <table className="visually-hidden" data-testid="profile-points">
    <caption>Depth profile</caption>
    <tbody>
      {lines.flatMap(({ label, points }) =>
        points.map(({ index, value, id }) => (
          <tr key={`${label} ${index}`} data-role-label={label} data-layer={index}>
            <th scope="row">{`${shown(label)}, layer ${index}`}</th>
            <td>
              <button type="button" tabIndex={-1} onClick={() => onPick(id)}>
                {formatStatistic(value, 9)}
              </button>
            </td>
          </tr>
        )),
      )}
    </tbody>
  </table>
);

/** One statistic over the depth of the model, a line a role; a click selects the tensor. */
export const DepthProfile = (): JSX.Element => {
  const session = useSessionStore();
  const rows = useSession((state) => state.rows);
  const numbers = useSession((state) => state.numbers);
  const version = useSession((state) => state.numbersVersion);
  const isScanning = useSession((state) => state.scan.state === 'running');
  const [statistic, setStatistic] = useState<ProfileStatistic>('rms');
  const [log, setLog] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<ProfileHover | undefined>(undefined);
  const host = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(host);
  const theme = useResolvedTheme();

  const roles = useMemo(() => profileRoles(rows), [rows]);
  const listed = useMemo(() => roles.slice(0, MOST_LINES), [roles]);
  const lines = useMemo(() => {
    // `numbers` grows in place; its version says that it did.
    void version;
    return profileLines(
      listed.filter(({ role }) => !hidden.has(role.label)),
      numbers,
      statistic,
    );
  }, [numbers, version, statistic, listed, hidden]);
  const drawn = useMemo(() => lines.filter(({ points }) => points.length > 0), [lines]);
  const canBeLog = drawn.every(({ points }) => points.every(({ value }) => value > 0));
  const pick = useRef((_id: number): void => undefined);
  pick.current = (id) => revealTensor(session, id, false);

  useEffect(() => {
    const element = host.current;
    if (element === null || width === 0 || height === 0 || drawn.length === 0) {
      return undefined;
    }
    // The canvas keeps the colours it was drawn with, so a new theme means a new drawing.
    void theme;
    const chart = makeProfileChart(element, {
      lines: drawn,
      log: log && canBeLog,
      width,
      height,
      onHover: setHovered,
      onPick: (id) => pick.current(id),
    });
    return () => chart.destroy();
  }, [drawn, log, canBeLog, width, height, theme]);

  if (roles.length === 0) {
    return <p className="profile-empty">No tensor here is repeated from layer to layer.</p>;
  }
  const waiting = isScanning ? 'Waiting for the scan…' : 'Scan all tensors to see how they change with depth.';
  const readout =
    hovered === undefined
      ? `${STATISTIC_NAMES[statistic]} over layers${roles.length > MOST_LINES ? `, the ${MOST_LINES} largest of ${roles.length} roles` : ''}`
      : `${shown(hovered.line.label)} · layer ${hovered.layer}: ${formatStatistic(hovered.value)}`;
  return (
    <div className="profile">
      <div className="profile-side">
        <label className="profile-choice">
          Statistic
          <select
            value={statistic}
            onChange={(event) => setStatistic(PROFILE_STATISTICS.find((one) => one === event.target.value) ?? 'rms')}
          >
            {PROFILE_STATISTICS.map((one) => (
              <option key={one} value={one}>
                {STATISTIC_NAMES[one]}
              </option>
            ))}
          </select>
        </label>
        <label className="profile-check">
          <input type="checkbox" checked={log && canBeLog} disabled={!canBeLog} onChange={() => setLog(!log)} />
          Logarithmic
        </label>
        <fieldset className="profile-legend">
          <legend className="visually-hidden">Roles</legend>
          {listed.map(({ role: { label, pattern } }) => {
            const at = drawn.findIndex((line) => line.label === label);
            const { colour, dashed } = lineStyle(Math.max(at, 0));
            return (
              <label key={label} className="profile-check" title={escapeText(pattern.slice(0, 1000))}>
                <input
                  type="checkbox"
                  checked={!hidden.has(label)}
                  onChange={() => {
                    const next = new Set(hidden);
                    if (!next.delete(label)) {
                      next.add(label);
                    }
                    setHidden(next);
                  }}
                />
                <span
                  className={`profile-swatch${dashed ? ' dashed' : ''}`}
                  style={{ borderColor: at < 0 ? 'var(--line-strong)' : `var(${colour})` }}
                />
                <span className="mono profile-role">{escapeText(elideMiddle(label, 44))}</span>
              </label>
            );
          })}
        </fieldset>
      </div>
      <figure className="profile-figure">
        <div
          ref={host}
          className="profile-plot"
          role="img"
          aria-label={`Depth profile: ${STATISTIC_NAMES[statistic]} of ${drawn.length} roles`}
          data-testid="depth-profile"
        >
          {drawn.length === 0 ? <p className="profile-empty">{waiting}</p> : null}
        </div>
        <figcaption className="profile-readout">{readout}</figcaption>
        <PointTable lines={drawn} onPick={(id) => pick.current(id)} />
      </figure>
    </div>
  );
};
