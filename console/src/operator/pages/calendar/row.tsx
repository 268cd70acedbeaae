import { memo } from 'react';
import type { Bar, CalendarHome } from '../../api/homes-types.ts';
import { dayOf } from '../../words/days.ts';
import { shortMoney } from '../../../base/words/money.ts';
import { dayWidth } from './geometry.ts';
import type { KnownPart } from './use-parts.ts';

const kindWords: Readonly<Record<Bar['kind'], string>> = {
  stay: 'Stay',
  hold: 'Booking, outcome not known yet',
  block: 'Block',
  simulated: 'Taken in the simulation',
};

/** What a bar says to staff. */
export function barText({ kind, reference, application, guests, source, reason }: Bar): string {
  const who = [reference, application, guests === null ? null : `${guests} guests`];
  const why = [source === 'channel' ? 'from another channel' : source, reason];
  return [kindWords[kind], ...who, ...why].filter((part) => part !== null).join(' · ');
}

const shortText = ({ kind, reference, application, reason, source }: Bar): string => {
  if (kind === 'stay') return [application, reference].filter(Boolean).join(' · ');
  if (kind === 'hold') return application ?? 'Booking';
  return reason ?? (source === 'channel' ? 'Other channel' : kindWords[kind]);
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

const partCells = (
  { home, firstDay }: KnownPart,
  row: number,
  [first, last]: readonly [number, number],
) => {
  const cells = [];
  const end = Math.min(last, firstDay + home.prices.length - 1);
  for (let day = Math.max(first, firstDay); day <= end; day += 1) {
    const price = home.prices[day - firstDay] ?? null;
    const minNights = home.minNights[day - firstDay]!;
    cells.push(
      <div
        key={day}
        id={`mc-${row}-${day}`}
        role="gridcell"
        aria-colindex={day + 2}
        className="mc-cell"
        style={{ left: day * dayWidth }}
      >
        {price === null ? '–' : shortMoney(price, home.currency)}
        {minNights > 1 && <span className="mc-min">{minNights}n</span>}
      </div>,
    );
  }
  return cells;
};

/** The bars of the parts of a row, each once. */
export const barsOf = (parts: readonly KnownPart[]): Bar[] => [
  ...new Map(parts.flatMap(({ home }) => home.bars).map((bar) => [bar.id, bar])).values(),
];

/** A home: its name, prices, minimum nights and bars of the days that are shown. */
export const Row = memo(function Row({
  row,
  top,
  parts,
  firstDay,
  lastDay,
  originDay,
}: {
  row: number;
  top: number;
  parts: readonly KnownPart[];
  firstDay: number;
  lastDay: number;
  originDay: number;
}) {
  const home: CalendarHome | undefined = parts[0]?.home;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="mc-row"
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="rowheader" className="mc-name">
        {home ? (
          <>
            <span className="mc-name-text">{home.name}</span>
            <span className="mc-name-about">{home.destination ?? home.slug}</span>
          </>
        ) : (
          <span className="mc-name-about">Loading…</span>
        )}
      </div>
      <div role="presentation" className="mc-nights">
        {parts.flatMap((part) => partCells(part, row, [firstDay, lastDay]))}
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
});
