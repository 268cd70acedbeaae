import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes as api } from '../../api/homes.ts';
import type { Bar, CalendarHome } from '../../api/homes-types.ts';
import { dateOf, dayOf, stayText, todayHere } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';
import { useMay } from '../../frame/session.ts';
import { type Move, openMove } from '../reservations/change-dialog.tsx';
import { CalendarFilter } from './calendar-filter.tsx';
import { countHomes, knownHomes, readHomes } from './chosen-homes.ts';
import { BlockDialog, type ChosenNights } from './block-dialog.tsx';
import { BookDialog, type WantedStay } from './book-dialog.tsx';
import { RatesDialog } from './rates-dialog.tsx';
import { firstShown } from './first-part.ts';
import { rangeOf, type Selection } from './geometry.ts';
import { Grid } from './grid.tsx';
import { barsOf, isOwn, kindsOfBars } from './row.tsx';
import { Keys, type Nights, SelectionBar } from './selection-bar.tsx';
import type { KnownPart, WindowHomes } from './use-window-homes.ts';

interface Dialog {
  kind: 'block' | 'rates';
  chosen: ChosenNights;
}

/** The first and the last night of a selection. */
function nightsOf(selection: Selection, originDay: number): Nights {
  const { firstDay, lastDay } = rangeOf(selection);
  return { from: dateOf(originDay + firstDay), to: dateOf(originDay + lastDay) };
}

const moveOf = ({ reference, from, to }: Bar, listing: string): Move => ({
  reference: reference!,
  listing,
  checkIn: from,
  checkOut: to,
});

interface OwnBlock {
  home: string;
  bar: Bar;
}

/** The operator's own blocks that have a selected night of a selected home, as far as they are in view. */
function ownBlocks(inWindow: WindowHomes, selection: Selection, originDay: number): OwnBlock[] {
  const { firstRow, lastRow, firstDay, lastDay } = rangeOf(selection);
  const rows = Array.from({ length: lastRow - firstRow + 1 }, (_, at) => firstRow + at);
  return rows.flatMap((row) => {
    const known = inWindow.row(row);
    return barsOf(known)
      .filter(
        ({ kind, source, from, to }) =>
          kind === 'block' &&
          isOwn(source) &&
          dayOf(from) <= originDay + lastDay &&
          dayOf(to) > originDay + firstDay,
      )
      .map((bar) => ({ home: known[0]!.home.name, bar }));
  });
}

/** What each colour of a bar means. */
const Legend = () => (
  <ul className="mc-legend" aria-label="Colours">
    {kindsOfBars.map(({ kind, source, word }) => (
      <li key={word}>
        <span className="mc-legend-bar" data-kind={kind} data-source={source}>
          {word}
        </span>
      </li>
    ))}
  </ul>
);

/** The price and minimum nights of a day; null: they are not known yet. */
function priceText(known: readonly KnownPart[], day: number): string | null {
  const part = known.find(
    ({ firstDay, home }) => firstDay <= day && day < firstDay + home.prices.length,
  );
  if (!part) return null;
  const { prices, minNights, currency } = part.home;
  const amount = prices[day - part.firstDay];
  const night = amount == null ? 'No price' : moneyText(amount, currency);
  return `${night} · at least ${counted(minNights[day - part.firstDay] ?? 1, 'night')}`;
}

/** Homes × days: stays, blocks, prices and minimum nights of all homes. */
export function Calendar() {
  const search = useSearch({ from: '/inside/calendar' });
  const navigate = useNavigate({ from: '/calendar' });
  const from = firstShown(search.from);
  const originDay = dayOf(from);
  const { text, catalogId, collectionId, freeFrom, freeTo, sleeps } = search;
  const filter = useMemo(
    () => ({ text, catalogId, collectionId, freeFrom, freeTo, sleeps }),
    [text, catalogId, collectionId, freeFrom, freeTo, sleeps],
  );
  const gridRef = useRef<HTMLDivElement>(null);
  const textRef = useRef<HTMLInputElement>(null);
  const dateRef = useRef<HTMLInputElement>(null);
  const [inWindow, setInWindow] = useState<WindowHomes | null>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [wanted, setWanted] = useState<WantedStay | null>(null);

  const reading = useMutation({
    mutationFn: (of: Selection) => readHomes(of, { filter, from }),
  });
  const select = (next: Selection | null) => {
    // Its homes are no longer the selected ones.
    reading.reset();
    setSelection(next);
  };
  const go = (changes: Partial<typeof search>) => {
    select(null);
    gridRef.current?.scrollTo({ left: 0 });
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  };
  const filterBy = (value: string) => {
    if ((value || undefined) === text) return;
    gridRef.current?.scrollTo({ top: 0 });
    go({ text: value || undefined });
  };
  const focusGrid = () => gridRef.current?.focus();
  const selectAll = () => {
    const { total = 0 } = inWindow ?? {};
    if (total === 0) return;
    const today = Math.max(0, dayOf(todayHere()) - originDay);
    const { firstDay, lastDay } = selection
      ? rangeOf(selection)
      : { firstDay: today, lastDay: today };
    select({ anchor: { row: 0, day: firstDay }, at: { row: total - 1, day: lastDay } });
    focusGrid();
  };
  const close = () => {
    setDialog(null);
    setWanted(null);
    focusGrid();
  };
  const move = (stay: Move) => openMove(stay, focusGrid);

  const count = selection ? countHomes(selection) : 0;
  const nights = selection && nightsOf(selection, originDay);
  const known = selection && inWindow ? inWindow.row(selection.at.row) : [];
  const currentDay = originDay + (selection?.at.day ?? 0);
  const bar = barsOf(known).find(
    (each) => dayOf(each.from) <= currentDay && currentDay < dayOf(each.to),
  );
  const price = priceText(known, selection?.at.day ?? 0);

  const openWith = (kind: 'block' | 'rates') => {
    if (!selection || !nights || !inWindow) return;
    const open = (found: CalendarHome[]) =>
      setDialog({ kind, chosen: { homes: found, ...nights } });
    const inView = knownHomes(inWindow, selection);
    if (inView) open(inView);
    else reading.mutate(selection, { onSuccess: open });
  };
  const canBlock = useMay('reservations');
  const canSetRates = useMay('inventory');
  const openDialog = (kind: 'block' | 'rates' | 'move') => {
    if (kind === 'rates' ? !canSetRates : !canBlock) return;
    if (kind !== 'move') openWith(kind);
    else if (bar?.kind === 'stay') move(moveOf(bar, known[0]!.home.slug));
  };
  const unblock = useMutation({
    mutationFn: async (blocks: readonly Bar[]) => {
      for (const { id } of blocks) await api.removeBlock(id);
      return blocks.length;
    },
    onSuccess: (removed) => {
      notifyDone(`${counted(removed, 'block')} removed. The nights are free again.`);
      select(null);
    },
  });
  const blocks = selection && inWindow ? ownBlocks(inWindow, selection, originDay) : [];
  const removeBlocks = () => {
    if (!canBlock || blocks.length === 0 || unblock.isPending) return;
    const each = blocks.map(({ home, bar: one }) => (
      <Text key={one.id} size="sm">
        {home}: {stayText(one.from, one.to)}
        {one.reason && ` · ${one.reason}`}
      </Text>
    ));
    const title = `Remove ${counted(blocks.length, 'block')}?`;
    const question = { title, text: <>The nights can be booked at once. {each}</> };
    askFirst({ ...question, verb: 'Remove', color: 'red' }, () =>
      unblock.mutate(blocks.map(({ bar: one }) => one)),
    );
  };
  const openReservation = (reference: string) =>
    // What was typed for it is booked.
    void navigate({
      to: '/reservations/$reference',
      params: { reference },
      ignoreBlocker: true,
    });
  const moveBy = (days: number) => {
    if (!canBlock || bar?.kind !== 'stay') return;
    const stay = moveOf(bar, known[0]!.home.slug);
    const later = (date: string) => dateOf(dayOf(date) + days);
    move({ ...stay, checkIn: later(stay.checkIn), checkOut: later(stay.checkOut) });
  };
  const book = (home: CalendarHome, stay: Pick<WantedStay, 'checkIn' | 'checkOut'>) => {
    if (!canBlock) return;
    const adults = sleeps ? Number(sleeps) : undefined;
    setWanted({ listing: home.slug, name: home.name, ...stay, adults });
  };
  const bookSelected = () => {
    const home = known[0]?.home;
    if (!home || !nights || count !== 1 || bar) return;
    // One night within those that were asked for means all of them.
    const isWithin = freeFrom && freeTo && freeFrom <= nights.from && nights.to < freeTo;
    if (isWithin && nights.from === nights.to) book(home, { checkIn: freeFrom, checkOut: freeTo });
    else book(home, { checkIn: nights.from, checkOut: dateOf(dayOf(nights.to) + 1) });
  };
  const keys: Readonly<Record<string, () => void>> = {
    n: bookSelected,
    b: () => !(bar && count === 1) && openDialog('block'),
    r: () => openDialog('rates'),
    m: () => openDialog('move'),
    u: removeBlocks,
    '.': () => moveBy(1),
    ',': () => moveBy(-1),
    Enter: () =>
      bar?.kind === 'stay' && bar.reference ? openReservation(bar.reference) : openDialog('rates'),
    a: selectAll,
    g: () => dateRef.current?.focus(),
    f: () => textRef.current?.focus(),
    Escape: () => select(null),
  };

  return (
    <Stack gap="sm" className="mc-page">
      <PageTitle
        title="Calendar"
        about={
          inWindow?.total === undefined ? 'All homes, day by day' : counted(inWindow.total, 'home')
        }
      >
        {(canBlock || canSetRates) && (inWindow?.total ?? 0) > 1 && (
          <Button size="xs" variant="default" onClick={selectAll}>
            Select all {counted(inWindow!.total!, 'home')}
          </Button>
        )}
      </PageTitle>
      <CalendarFilter
        search={search}
        from={from}
        textRef={textRef}
        dateRef={dateRef}
        onText={filterBy}
        onGo={go}
        onLeave={() => gridRef.current?.focus()}
      />
      {inWindow?.error && <Failure error={inWindow.error} onRetry={inWindow.retry} />}
      {inWindow?.total === 0 && (
        <Empty title="No home">
          {text || freeFrom || sleeps || catalogId
            ? 'No home matches the filter.'
            : 'Import a catalog to see its homes here.'}
        </Empty>
      )}
      <Grid
        filter={filter}
        originDay={originDay}
        selection={selection}
        gridRef={gridRef}
        onHomes={setInWindow}
        onSelect={select}
        onMove={(moved, toRow, checkIn) => {
          const home = inWindow?.row(toRow)[0]?.home;
          if (!home || !canBlock) return;
          const checkOut = dateOf(dayOf(checkIn) + dayOf(moved.to) - dayOf(moved.from));
          move({ ...moveOf(moved, home.slug), checkIn, checkOut });
        }}
        onOpen={openReservation}
        onKey={(key) => {
          const action = keys[key.length === 1 ? key.toLowerCase() : key];
          action?.();
          return action !== undefined;
        }}
      />
      {nights && (
        <SelectionBar
          count={count}
          home={known[0]?.home}
          nights={nights}
          bar={bar}
          price={price}
          isReading={reading.isPending}
          blocks={blocks.length}
          isUnblocking={unblock.isPending}
          onOpen={openReservation}
          onDialog={openDialog}
          onBook={bookSelected}
          onUnblock={removeBlocks}
          onClear={() => select(null)}
        />
      )}
      <Legend />
      <Keys />
      {dialog?.kind === 'block' && <BlockDialog chosen={dialog.chosen} onClose={close} />}
      {wanted && <BookDialog wanted={wanted} onClose={close} onBooked={openReservation} />}
      {dialog?.kind === 'rates' && <RatesDialog chosen={dialog.chosen} onClose={close} />}
    </Stack>
  );
}
