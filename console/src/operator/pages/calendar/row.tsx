import { memo } from 'react';
import type { Bar, CalendarHome } from '../../api/homes-types.ts';
import { counted } from '../../../base/words/plural.ts';
import { dayOf } from '../../words/days.ts';
import { shortMoney, wholeMoney } from '../../../base/words/money.ts';
import { dayWidth } from './geometry.ts';
import type { KnownPart } from './use-window-homes.ts';

const daysOfWeek = 7;

const kindWords: Readonly<Record<Bar['kind'], string>> = {
  stay: 'Stay',
  hold: 'Booking, outcome not known yet',
  block: 'Block',
  simulated: 'Taken in the simulation',
};

/** The kinds of bars, by colour and word. */
export const kindsOfBars = [
  { kind: 'stay', source: undefined, word: 'Stay' },
  { kind: 'hold', source: undefined, word: 'Booking, outcome not known' },
  { kind: 'block', source: 'staff', word: 'Block' },
  { kind: 'block', source: 'file', word: 'From a file' },
  { kind: 'block', source: 'channel', word: 'Other channel' },
  { kind: 'block', source: 'outside', word: 'Other system' },
] as const;

type Source = NonNullable<Bar['source']>;

const sourceWords: Readonly<Record<Source, string>> = {
  file: 'file',
  staff: 'staff',
  channel: 'from another channel',
  outside: 'sold by another system',
};
const wordOf = {
  file: 'File',
  staff: 'Block',
  channel: 'Channel',
  outside: 'Other system',
} as const;

/** Whether a block is the operator's, and can be removed here. */
export const isOwn = (source: Bar['source']): source is 'file' | 'staff' =>
  source === 'file' || source === 'staff';

/** What a bar says to staff. */
export function barText(bar: Bar): string {
  const { kind, guest, reference, application, guests, source, reason } = bar;
  const who = [guest, reference, application, guests === null ? null : counted(guests, 'guest')];
  const why = [source === null ? null : sourceWords[source], reason];
  return [kindWords[kind], ...who, ...why].filter((part) => part !== null).join(' · ');
}

const joined = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' · ');

const shortText = ({ kind, guest, reference, application, reason, source }: Bar): string => {
  if (kind === 'stay') return joined([guest ?? reference, application]);
  if (kind === 'hold') return joined(['Not certain', application]);
  return joined([source === null ? kindWords[kind] : wordOf[source], reason]);
};

const BarView = ({ bar, originDay }: { bar: Bar; originDay: number }) => {
  const from = dayOf(bar.from) - originDay;
  const nights = dayOf(bar.to) - dayOf(bar.from);
  const left = Math.max(0, from) * dayWidth;
  const width = (nights + Math.min(0, from)) * dayWidth;
  return (
    <span
      className="mc-bar"
      data-kind={bar.kind}
      data-source={bar.source ?? undefined}
      style={{ left: left + 2, width: width - 4 }}
      title={barText(bar)}
    >
      <span className="mc-bar-text">{shortText(bar)}</span>
    </span>
  );
};

/** The cells of a week. They are made once: scrolling to the side only adds and removes weeks. */
const Week = memo(function Week({
  home,
  firstDay,
  row,
  first,
}: KnownPart & {
  row: number;
  first: number;
}) {
  const days = Math.min(daysOfWeek, firstDay + home.prices.length - first);
  const cells = Array.from({ length: days }, (_, at) => {
    const day = first + at;
    const price = home.prices[day - firstDay] ?? null;
    const minNights = home.minNights[day - firstDay]!;
    return (
      <div
        key={day}
        id={`mc-${row}-${day}`}
        role="gridcell"
        aria-colindex={day + 2}
        className="mc-cell"
        title={price === null ? undefined : wholeMoney(price, home.currency)}
      >
        {price === null ? '–' : shortMoney(price, home.currency)}
        {minNights > 1 && <span className="mc-min">{minNights}n</span>}
      </div>
    );
  });
  return (
    <div role="presentation" className="mc-week" style={{ left: first * dayWidth }}>
      {cells}
    </div>
  );
});

const weeksOf = (part: KnownPart, row: number, [first, last]: readonly [number, number]) => {
  const end = Math.min(last, part.firstDay + part.home.prices.length - 1);
  const weeks = [];
  for (let week = Math.max(first, part.firstDay); week <= end; week += daysOfWeek) {
    weeks.push(<Week key={week} {...part} row={row} first={week} />);
  }
  return weeks;
};

/** The bars of the parts of a row, each once. */
export const barsOf = (parts: readonly KnownPart[]): Bar[] => [
  ...new Map(parts.flatMap(({ home }) => home.bars).map((bar) => [bar.id, bar])).values(),
];

interface RowProps {
  row: number;
  top: number;
  parts: readonly KnownPart[];
  firstDay: number;
  lastDay: number;
  originDay: number;
}

/** Whether a row would look the same: a home that was read again without a change is the same object. */
function looksTheSame(before: RowProps, after: RowProps): boolean {
  const { parts, ...others } = after;
  const names = Object.keys(others) as (keyof typeof others)[];
  return (
    names.every((name) => before[name] === others[name]) &&
    before.parts.length === parts.length &&
    parts.every(({ home, firstDay }, at) => {
      const known = before.parts[at]!;
      return known.home === home && known.firstDay === firstDay;
    })
  );
}

/** A home: its name, prices, minimum nights and bars of the days that are shown. */
export const Row = memo(function Row({ row, top, parts, firstDay, lastDay, originDay }: RowProps) {
  const home: CalendarHome | undefined = parts[0]?.home;
  return (
    <div role="row" aria-rowindex={row + 2} className="mc-row" style={{ top }}>
      <div role="rowheader" className="mc-name">
        {home ? (
          <>
            <span className="mc-name-text" title={home.name}>
              {home.name}
            </span>
            <span className="mc-name-about">
              {home.currency} · {home.sleeps !== null && `sleeps ${home.sleeps} · `}
              {home.destination ?? home.slug}
            </span>
          </>
        ) : (
          <span className="mc-name-about">Loading…</span>
        )}
      </div>
      <div role="presentation" className="mc-nights">
        {parts.flatMap((part) => weeksOf(part, row, [firstDay, lastDay]))}
        {barsOf(parts)
          .filter(
            ({ from, to }) =>
              dayOf(to) - originDay > firstDay && dayOf(from) - originDay <= lastDay,
          )
          .map((bar) => (
            <BarView key={bar.id} bar={bar} originDay={originDay} />
          ))}
      </div>
    </div>
  );
}, looksTheSame);
