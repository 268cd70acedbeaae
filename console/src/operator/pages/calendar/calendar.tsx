import { Button, Group, Kbd, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { Choice } from '../../../base/parts/choice.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { Failure } from '../../../base/parts/failure.tsx';
import { ButtonLink } from '../../../base/parts/links.tsx';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes as api } from '../../api/homes.ts';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type { Bar, CalendarHome } from '../../api/homes-types.ts';
import { dateOf, dayOf, dayText } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';
import { useMay } from '../../frame/session.ts';
import { countHomes, knownHomes, readHomes } from './chosen-homes.ts';
import { BlockDialog, type ChosenNights, RatesDialog } from './dialogs.tsx';
import { firstShown } from './first-part.ts';
import { rangeOf, type Selection } from './geometry.ts';
import { Grid } from './grid.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';
import { barsOf, barText } from './row.tsx';
import type { Parts } from './use-parts.ts';

const typedMs = 250;
const month = 28;

type Nights = Omit<ChosenNights, 'homes'>;
type Dialog = { kind: 'block' | 'rates'; chosen: ChosenNights } | { kind: 'move'; move: Move };

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

/** What is selected, and what can be done with it. */
function SelectionBar({
  count,
  home,
  nights,
  bar,
  price,
  isReading,
  onDialog,
  onClear,
}: {
  /** How many homes are selected. */
  count: number;
  /** Of the current cell. Undefined: it is not known yet. */
  home: CalendarHome | undefined;
  nights: Nights;
  bar: Bar | undefined;
  price: string | null;
  isReading: boolean;
  onDialog: (kind: 'block' | 'rates' | 'move') => void;
  onClear: () => void;
}) {
  const canBlock = useMay('reservations');
  const canSetRates = useMay('inventory');
  const { from, to } = nights;
  const nightCount = dayOf(to) - dayOf(from) + 1;
  const unblock = useMutation({
    mutationFn: api.removeBlock,
    onSuccess: () => {
      notifyDone('The nights are free again.');
      onClear();
    },
  });
  const single = count === 1;
  const who = (single && home?.name) || counted(count, 'home');
  return (
    <div className="mc-selection" role="region" aria-label="Selection">
      <div aria-live="polite" className="mc-selection-text">
        <Text size="sm" fw={600}>
          {who} · {dayText(from)}
          {nightCount > 1 && ` – ${dayText(to)}, ${counted(nightCount, 'night')}`}
        </Text>
        <Text size="sm" c="dimmed" className="break">
          {bar ? barText(bar) : price}
        </Text>
      </div>
      <Group gap="xs">
        {canBlock && bar?.kind === 'stay' && (
          <Button size="xs" onClick={() => onDialog('move')}>
            Move
          </Button>
        )}
        {canBlock && bar?.kind === 'block' && bar.source !== 'channel' && (
          <Button
            size="xs"
            color="red"
            variant="light"
            loading={unblock.isPending}
            onClick={() => unblock.mutate(bar.id)}
          >
            Remove the block
          </Button>
        )}
        {canBlock && !bar && single && (
          <Button size="xs" onClick={() => onDialog('block')}>
            Block
          </Button>
        )}
        {canSetRates && (
          <Button size="xs" variant="default" loading={isReading} onClick={() => onDialog('rates')}>
            Set rates
          </Button>
        )}
        {single && home && (
          <ButtonLink
            to="/homes/$listing"
            params={{ listing: home.slug }}
            size="xs"
            variant="default"
          >
            Open the home
          </ButtonLink>
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear
        </Button>
      </Group>
    </div>
  );
}

const Keys = () => (
  <Text size="xs" c="dimmed" component="p" className="mc-keys">
    <Kbd size="xs">←↑→↓</Kbd> move, with <Kbd size="xs">Shift</Kbd> select ·{' '}
    {useMay('inventory') && (
      <>
        <Kbd size="xs">R</Kbd> rates ·{' '}
      </>
    )}
    {useMay('reservations') && (
      <>
        <Kbd size="xs">B</Kbd> block · <Kbd size="xs">M</Kbd> move a stay · <Kbd size="xs">U</Kbd>{' '}
        remove a block ·{' '}
      </>
    )}
    <Kbd size="xs">G</Kbd> go to a date · <Kbd size="xs">/</Kbd> filter · <Kbd size="xs">Esc</Kbd>{' '}
    clear
  </Text>
);

/** Homes × days: stays, blocks, prices and minimum nights of all homes. */
export function Calendar() {
  const search = useSearch({ from: '/inside/calendar' });
  const navigate = useNavigate({ from: '/calendar' });
  const from = firstShown(search.from);
  const originDay = dayOf(from);
  const { text, catalogId, collectionId } = search;
  const filter = useMemo(
    () => ({ text, catalogId, collectionId }),
    [text, catalogId, collectionId],
  );
  const catalogs = useQuery(catalogsQuery);
  const gridRef = useRef<HTMLDivElement>(null);
  const textRef = useRef<HTMLInputElement>(null);
  const dateRef = useRef<HTMLInputElement>(null);
  const [parts, setParts] = useState<Parts | null>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);

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
  const typed = useDebouncedCallback(filterBy, typedMs);
  const close = () => {
    setDialog(null);
    gridRef.current?.focus();
  };

  const count = selection ? countHomes(selection) : 0;
  const nights = selection && nightsOf(selection, originDay);
  const known = selection && parts ? parts.row(selection.at.row) : [];
  const currentDay = originDay + (selection?.at.day ?? 0);
  const bar = barsOf(known).find(
    (each) => dayOf(each.from) <= currentDay && currentDay < dayOf(each.to),
  );
  const price = ((): string | null => {
    const day = selection?.at.day ?? 0;
    const part = known.find(
      ({ firstDay, home }) => firstDay <= day && day < firstDay + home.prices.length,
    );
    if (!part) return null;
    const amount = part.home.prices[day - part.firstDay];
    const minimum = counted(part.home.minNights[day - part.firstDay] ?? 1, 'night');
    const night = amount == null ? 'No price' : moneyText(amount, part.home.currency);
    return `${night} · at least ${minimum}`;
  })();

  const openWith = (kind: 'block' | 'rates') => {
    if (!selection || !nights || !parts) return;
    const open = (found: CalendarHome[]) =>
      setDialog({ kind, chosen: { homes: found, ...nights } });
    const inView = knownHomes(parts, selection);
    if (inView) open(inView);
    else reading.mutate(selection, { onSuccess: open });
  };
  const canBlock = useMay('reservations');
  const canSetRates = useMay('inventory');
  const openDialog = (kind: 'block' | 'rates' | 'move') => {
    if (kind === 'rates' ? !canSetRates : !canBlock) return;
    if (kind !== 'move') openWith(kind);
    else if (bar?.kind === 'stay') setDialog({ kind, move: moveOf(bar, known[0]!.home.slug) });
  };
  const unblock = useMutation({
    mutationFn: api.removeBlock,
    onSuccess: () => notifyDone('The nights are free again.'),
  });
  const keys: Readonly<Record<string, () => void>> = {
    b: () => !bar && count === 1 && openDialog('block'),
    r: () => openDialog('rates'),
    m: () => openDialog('move'),
    u: () => canBlock && bar?.kind === 'block' && unblock.mutate(bar.id),
    Enter: () => openDialog(bar?.kind === 'stay' ? 'move' : 'rates'),
    g: () => dateRef.current?.focus(),
    '/': () => textRef.current?.focus(),
    Escape: () => select(null),
  };

  const { items = [] } = catalogs.data ?? {};
  const collections = items
    .filter((catalog) => !catalogId || catalog.catalogId === catalogId)
    .flatMap((catalog) => catalog.collections);
  return (
    <Stack gap="sm" className="mc-page">
      <PageTitle
        title="Calendar"
        about={parts?.total === undefined ? 'All homes, day by day' : counted(parts.total, 'home')}
      />
      <Group gap="xs" align="flex-end">
        <TextInput
          ref={textRef}
          label="Filter"
          placeholder="Name or place"
          size="xs"
          className="choice"
          defaultValue={text ?? ''}
          onChange={({ currentTarget }) => typed(currentTarget.value.trim())}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Enter' && key !== 'Escape') return;
            typed.cancel();
            filterBy(currentTarget.value.trim());
            gridRef.current?.focus();
          }}
        />
        {items.length > 1 && (
          <Choice
            label="Catalog"
            value={catalogId}
            choices={items.map(({ catalogId: value, name: label }) => ({ value, label }))}
            onChoose={(value) => go({ catalogId: value, collectionId: undefined })}
          />
        )}
        {collections.length > 0 && (
          <Choice
            label="Collection"
            value={collectionId}
            choices={collections.map(({ collectionId: value, name: label }) => ({ value, label }))}
            onChoose={(value) => go({ collectionId: value })}
          />
        )}
        <TextInput
          ref={dateRef}
          type="date"
          label="First day"
          size="xs"
          key={from}
          defaultValue={from}
          onBlur={({ currentTarget: { value } }) => {
            if (value !== '' && value !== from) go({ from: value });
          }}
          onKeyDown={({ key, currentTarget: { value } }) => {
            if (key !== 'Enter' && key !== 'Escape') return;
            if (key === 'Enter' && value !== '' && value !== from) go({ from: value });
            gridRef.current?.focus();
          }}
        />
        <Button.Group>
          <Button
            size="xs"
            variant="default"
            aria-label="Four weeks earlier"
            onClick={() => go({ from: dateOf(originDay - month) })}
          >
            ‹
          </Button>
          <Button size="xs" variant="default" onClick={() => go({ from: undefined })}>
            Today
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label="Four weeks later"
            onClick={() => go({ from: dateOf(originDay + month) })}
          >
            ›
          </Button>
        </Button.Group>
      </Group>
      {parts?.error && <Failure error={parts.error} onRetry={parts.retry} />}
      {parts?.total === 0 && (
        <Empty title="No home">
          {text ? 'No home matches the filter.' : 'Import a catalog to see its homes here.'}
        </Empty>
      )}
      <Grid
        filter={filter}
        originDay={originDay}
        selection={selection}
        gridRef={gridRef}
        onParts={setParts}
        onSelect={select}
        onMove={(moved, toRow, checkIn) => {
          const home = parts?.row(toRow)[0]?.home;
          if (!home || !canBlock) return;
          const checkOut = dateOf(dayOf(checkIn) + dayOf(moved.to) - dayOf(moved.from));
          setDialog({ kind: 'move', move: { ...moveOf(moved, home.slug), checkIn, checkOut } });
        }}
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
          onDialog={openDialog}
          onClear={() => select(null)}
        />
      )}
      <Keys />
      {dialog?.kind === 'block' && <BlockDialog chosen={dialog.chosen} onClose={close} />}
      {dialog?.kind === 'rates' && <RatesDialog chosen={dialog.chosen} onClose={close} />}
      {dialog?.kind === 'move' && <MoveDialog move={dialog.move} onClose={close} />}
    </Stack>
  );
}
