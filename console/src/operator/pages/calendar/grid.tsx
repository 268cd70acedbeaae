import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Bar, HomeFilter } from '../../api/homes-types.ts';
import { columnHead, dateOf, dayOf, dayText, monthText, todayHere } from '../../words/days.ts';
import {
  dayWidth,
  gridDays,
  headHeight,
  moved,
  rangeOf,
  rowHeight,
  type Selection,
  single,
} from './geometry.ts';
import { barsOf, Row } from './row.tsx';
import { type WindowHomes, useWindowHomes } from './use-window-homes.ts';

/** A stay that is dragged to other nights. */
interface Drag {
  bar: Bar;
  row: number;
  grabbedDay: number;
  at: { row: number; day: number };
}

/** What the page does with the grid. */
interface GridActions {
  onSelect(selection: Selection | null): void;
  onMove(bar: Bar, toRow: number, checkIn: string): void;
  /** A stay was clicked. */
  onOpen(reference: string): void;
  /** A key that the grid does not use. Returns whether the page did. */
  onKey(key: string): boolean;
}

const rowsAbove = 4;
const columnsBeside = 2;

/** Rounded, so that a row is drawn again only at each week that comes into view. */
const wholeWeeks = (first: number, last: number) => ({
  firstDay: Math.floor(first / 7) * 7,
  lastDay: Math.min(gridDays, Math.ceil((last + 1) / 7) * 7) - 1,
});

const barAt = (inWindow: WindowHomes, row: number, day: number): Bar | undefined =>
  barsOf(inWindow.row(row)).find(
    ({ from, to, kind }) => kind !== 'simulated' && dayOf(from) <= day && day < dayOf(to),
  );

const Heads = memo(function Heads({
  first,
  last,
  originDay,
  month,
}: {
  first: number;
  last: number;
  originDay: number;
  /** Of the first day in view. */
  month: string;
}) {
  const today = dayOf(todayHere());
  return (
    <div role="row" aria-rowindex={1} className="mc-head">
      <div role="columnheader" className="mc-corner">
        <span className="mc-corner-word">Home</span>
        <strong className="mc-month">{month}</strong>
      </div>
      {Array.from({ length: last - first + 1 }, (_, at) => {
        const day = first + at;
        const { weekday, date, isWeekend } = columnHead(originDay + day);
        return (
          <div
            key={day}
            role="columnheader"
            aria-colindex={day + 2}
            className="mc-day"
            data-weekend={isWeekend || undefined}
            data-today={originDay + day === today || undefined}
            {...(originDay + day === today && { 'aria-current': 'date' as const })}
            style={{ left: `calc(var(--mc-names) + ${day * dayWidth}px)` }}
          >
            <span>{weekday}</span>
            <strong>{date}</strong>
          </div>
        );
      })}
    </div>
  );
});

/** A line through all homes at the beginning of today. */
function Today({ originDay }: { originDay: number }) {
  const day = dayOf(todayHere()) - originDay;
  if (day < 0 || day >= gridDays) return null;
  const left = `calc(var(--mc-names) + ${day * dayWidth}px)`;
  return <span className="mc-today" aria-hidden style={{ left }} />;
}

const Selected = ({ selection }: { selection: Selection }) => {
  const { firstRow, lastRow, firstDay, lastDay } = rangeOf(selection);
  return (
    <span
      className="mc-selected"
      aria-hidden
      style={{
        top: headHeight + firstRow * rowHeight,
        left: `calc(var(--mc-names) + ${firstDay * dayWidth}px)`,
        width: (lastDay - firstDay + 1) * dayWidth,
        height: (lastRow - firstRow + 1) * rowHeight,
      }}
    />
  );
};

const Dragged = ({ drag, originDay }: { drag: Drag; originDay: number }) => {
  const { bar, at, grabbedDay } = drag;
  const from = dayOf(bar.from) - originDay + at.day - grabbedDay;
  return (
    <span
      className="mc-dragged"
      aria-hidden
      style={{
        top: headHeight + at.row * rowHeight + 22,
        left: `calc(var(--mc-names) + ${from * dayWidth}px)`,
        width: (dayOf(bar.to) - dayOf(bar.from)) * dayWidth,
      }}
    >
      {dayText(dateOf(from + originDay))}
    </span>
  );
};

const steps: Readonly<Record<string, { rows?: number; days?: number }>> = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  PageUp: { rows: -10 },
  PageDown: { rows: 10 },
  Home: { days: -28 },
  End: { days: 28 },
};

/** Homes × days. Only what is visible is drawn and read. */
export function Grid({
  filter,
  originDay,
  selection,
  gridRef,
  onHomes,
  onSelect,
  onMove,
  onOpen,
  onKey,
}: {
  filter: HomeFilter;
  originDay: number;
  selection: Selection | null;
  gridRef: RefObject<HTMLDivElement | null>;
  onHomes: (inWindow: WindowHomes) => void;
} & GridActions) {
  const innerRef = useRef<HTMLDivElement>(null);
  const [total, setTotal] = useState(0);
  const [drag, setDrag] = useState<Drag | null>(null);
  // It comes before `rows` and does not force a render, so that one render shows a scroll in both directions.
  // oxlint-disable-next-line react/incompatible-library -- the page is built without the compiler
  const columns = useVirtualizer({
    horizontal: true,
    count: gridDays,
    getScrollElement: () => gridRef.current,
    estimateSize: () => dayWidth,
    overscan: columnsBeside,
    useFlushSync: false,
  });
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: rowsAbove,
  });
  const shownRows = rows.getVirtualItems();
  const shownColumns = columns.getVirtualItems();
  const { firstDay, lastDay } = wholeWeeks(
    shownColumns[0]?.index ?? 0,
    shownColumns.at(-1)?.index ?? 20,
  );
  const newest = useWindowHomes(filter, originDay, {
    rows: [shownRows[0]?.index ?? 0, shownRows.at(-1)?.index ?? 0],
    days: [firstDay, lastDay],
  });
  // Rows that arrive are drawn in between the frames of scrolling.
  const inWindow = useDeferredValue(newest);
  useEffect(() => {
    startTransition(() => {
      if (newest.total !== undefined) setTotal(newest.total);
      onHomes(newest);
    });
  }, [newest, onHomes]);

  const namesWidth = (): number => {
    const text = getComputedStyle(innerRef.current!).getPropertyValue('--mc-names');
    return Number.parseFloat(text);
  };
  const cellAt = ({ clientX, clientY }: PointerEvent) => {
    const { left, top } = innerRef.current!.getBoundingClientRect();
    const { left: edge, top: upper } = gridRef.current!.getBoundingClientRect();
    const isBeside = clientX < edge + namesWidth() || clientY < upper + headHeight;
    const row = Math.floor((clientY - top - headHeight) / rowHeight);
    const day = Math.floor((clientX - left - namesWidth()) / dayWidth);
    return isBeside || row < 0 || row >= total || day < 0 || day >= gridDays ? null : { row, day };
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const cell = event.button === 0 ? cellAt(event) : null;
    if (!cell || event.pointerType === 'touch') return;
    // Above the bar is the price: from there, nights are selected, also those of a stay.
    const isOnBar = (event.target as Element).closest('.mc-bar') !== null;
    const bar = isOnBar ? barAt(inWindow, cell.row, originDay + cell.day) : undefined;
    event.currentTarget.setPointerCapture(event.pointerId);
    if (event.shiftKey && selection) {
      onSelect({ ...selection, at: cell });
      return;
    }
    onSelect(single(cell.row, cell.day));
    if (bar?.kind === 'stay') setDrag({ bar, row: cell.row, grabbedDay: cell.day, at: cell });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const cell = cellAt(event);
    if (!cell) return;
    if (drag) setDrag({ ...drag, at: cell });
    else if (selection) onSelect({ ...selection, at: cell });
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const cell = cellAt(event);
    if (event.pointerType === 'touch' && cell) onSelect(single(cell.row, cell.day));
    if (!drag) return;
    setDrag(null);
    const days = drag.at.day - drag.grabbedDay;
    if (days === 0 && drag.at.row === drag.row) {
      if (drag.bar.reference !== null) onOpen(drag.bar.reference);
      return;
    }
    onMove(drag.bar, drag.at.row, dateOf(dayOf(drag.bar.from) + days));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (!step) {
      if (onKey(event.key)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const firstShown = Math.floor((rows.scrollOffset ?? 0) / rowHeight);
    const firstColumn = Math.ceil((columns.scrollOffset ?? 0) / dayWidth);
    const start = selection ?? single(firstShown, firstColumn);
    const options = { lastRow: Math.max(0, total - 1), grows: event.shiftKey };
    const next = selection ? moved(start, step, options) : start;
    onSelect(next);
    rows.scrollToIndex(next.at.row, { align: 'auto' });
    columns.scrollToIndex(next.at.day, { align: 'auto' });
  };

  const current = selection && inWindow.row(selection.at.row).length > 0;
  return (
    <div
      ref={gridRef}
      className="mc"
      role="grid"
      aria-label="Calendar of all homes"
      aria-rowcount={total + 1}
      aria-colcount={gridDays + 1}
      aria-activedescendant={current ? `mc-${selection.at.row}-${selection.at.day}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
    >
      <div
        ref={innerRef}
        role="presentation"
        className="mc-inner"
        style={{
          width: `calc(var(--mc-names) + ${gridDays * dayWidth}px)`,
          height: headHeight + rows.getTotalSize(),
        }}
      >
        <Heads
          first={firstDay}
          last={lastDay}
          originDay={originDay}
          month={monthText(originDay + Math.floor((columns.scrollOffset ?? 0) / dayWidth))}
        />
        <Today originDay={originDay} />
        {shownRows.map(({ index, start }) => (
          <Row
            key={index}
            row={index}
            top={start + headHeight}
            parts={inWindow.row(index)}
            firstDay={firstDay}
            lastDay={lastDay}
            originDay={originDay}
          />
        ))}
        {selection && <Selected selection={selection} />}
        {drag && <Dragged drag={drag} originDay={originDay} />}
      </div>
    </div>
  );
}
