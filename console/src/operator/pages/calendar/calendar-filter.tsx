import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { Choice } from '../../../base/components/choice.tsx';
import { catalogsQuery } from '../../api/homes-queries.ts';
import { dateOf, dayOf } from '../../words/days.ts';

const typedMs = 250;
const month = 28;

/** What the calendar shows. */
interface Shown {
  text?: string | undefined;
  catalogId?: string | undefined;
  collectionId?: string | undefined;
  from?: string | undefined;
  freeFrom?: string | undefined;
  freeTo?: string | undefined;
  sleeps?: string | undefined;
}

/** What is typed in a field whose value is also in the address; a new address replaces it. The field keeps the focus. */
function useTyped(inAddress: string) {
  const [seen, setSeen] = useState(inAddress);
  const [typed, setTyped] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    setTyped(inAddress);
  }
  return [typed, setTyped] as const;
}

/** Shows only the homes that are free from one day to another, for so many guests. */
function FreeFilter({
  search: { freeFrom, freeTo, sleeps },
  onGo,
}: {
  search: Shown;
  onGo: (changes: Shown) => void;
}) {
  const [first, setFirst] = useTyped(freeFrom ?? '');
  const [last, setLast] = useTyped(freeTo ?? '');
  const [guests, setGuests] = useTyped(sleeps ?? '');
  const go = (from: string, to: string) => {
    if (from === '' && to === '') onGo({ freeFrom: undefined, freeTo: undefined });
    // The nights that are asked for are shown.
    else if (from !== '' && to > from) onGo({ freeFrom: from, freeTo: to, from });
  };
  return (
    <>
      <TextInput
        type="date"
        label="Free from"
        size="xs"
        value={first}
        onChange={({ currentTarget: { value } }) => {
          setFirst(value);
          go(value, last);
        }}
      />
      <TextInput
        type="date"
        label="Free until"
        size="xs"
        value={last}
        min={first}
        error={first !== '' && last !== '' && last <= first}
        onChange={({ currentTarget: { value } }) => {
          setLast(value);
          go(first, value);
        }}
      />
      <TextInput
        type="number"
        label="For guests"
        size="xs"
        className="mc-guests"
        min={1}
        max={100}
        value={guests}
        onChange={({ currentTarget: { value } }) => {
          setGuests(value);
          onGo({ sleeps: value || undefined });
        }}
      />
    </>
  );
}

/** Chooses the homes and the days that the calendar shows. */
export function CalendarFilter({
  search,
  from,
  textRef,
  dateRef,
  onText,
  onGo,
  onLeave,
}: {
  search: Shown;
  /** The first day. */
  from: string;
  textRef: RefObject<HTMLInputElement | null>;
  dateRef: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
  onGo: (changes: Shown) => void;
  onLeave: () => void;
}) {
  const { text, catalogId, collectionId } = search;
  const typed = useDebouncedCallback(onText, typedMs);
  const { items = [] } = useQuery(catalogsQuery).data ?? {};
  const collections = items
    .filter((catalog) => !catalogId || catalog.catalogId === catalogId)
    .flatMap((catalog) => catalog.collections);
  const goTo = (day: string) => day !== '' && day !== from && onGo({ from: day });
  const goBy = (days: number) => onGo({ from: dateOf(dayOf(from) + days) });
  return (
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
          onText(currentTarget.value.trim());
          onLeave();
        }}
      />
      {items.length > 1 && (
        <Choice
          label="Catalog"
          value={catalogId}
          choices={items.map(({ catalogId: value, name: label }) => ({ value, label }))}
          onChoose={(value) => onGo({ catalogId: value, collectionId: undefined })}
        />
      )}
      {collections.length > 0 && (
        <Choice
          label="Collection"
          value={collectionId}
          choices={collections.map(({ collectionId: value, name: label }) => ({ value, label }))}
          onChoose={(value) => onGo({ collectionId: value })}
        />
      )}
      <FreeFilter search={search} onGo={onGo} />
      <TextInput
        ref={dateRef}
        type="date"
        label="First day"
        size="xs"
        key={from}
        defaultValue={from}
        onBlur={({ currentTarget: { value } }) => goTo(value)}
        onKeyDown={({ key, currentTarget: { value } }) => {
          if (key !== 'Enter' && key !== 'Escape') return;
          if (key === 'Enter') goTo(value);
          onLeave();
        }}
      />
      <Button.Group>
        <Button
          size="xs"
          variant="default"
          aria-label="Four weeks earlier"
          onClick={() => goBy(-month)}
        >
          ‹
        </Button>
        <Button size="xs" variant="default" onClick={() => onGo({ from: undefined })}>
          Today
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label="Four weeks later"
          onClick={() => goBy(month)}
        >
          ›
        </Button>
      </Button.Group>
    </Group>
  );
}
