import { Group, NumberInput, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { agesIn } from '../../../base/words/party.ts';
import { failureBeside, fieldErrors } from '../../../base/components/field-errors.ts';
import { sectionId } from '../../../base/components/contents.tsx';
import { Section } from '../../../base/components/section.tsx';
import { homes } from '../../api/homes.ts';
import type { HomeContent } from '../../api/homes-types.ts';
import { dateOf, dayOf, todayHere } from '../../words/days.ts';
import { ExplainedPrice } from './explained-price.tsx';

const typedMs = 300;
const daysAhead = 30;

/** The price of the draft for a stay, and what is wrong with the draft. Each draft is an object of its own. */
export function usePrice(draft: HomeContent) {
  const first = dateOf(dayOf(todayHere()) + daysAhead);
  const [stay, setStay] = useState({
    checkIn: first,
    checkOut: dateOf(dayOf(first) + 5),
    adults: 2,
    children: 0,
    infants: 0,
    pets: 0,
    childAges: '',
    adjustPercent: 0,
  });
  // Two values, because a new object at each rendering would be waited for without an end.
  const [listing] = useDebouncedValue(draft, typedMs);
  const [wanted] = useDebouncedValue(stay, typedMs);
  const query = useQuery({
    queryKey: ['price', listing, wanted],
    queryFn: async ({ signal }) => {
      const { checkIn, checkOut, adjustPercent, childAges, ...people } = wanted;
      const ages = agesIn(childAges);
      const party = { ...people, ...(ages.length > 0 && { childAges: ages }) };
      const input = { listing, checkIn, checkOut, party, adjustPercent };
      return { price: await homes.price(input, signal), timeZone: listing.timeZone ?? 'UTC' };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { stay, setStay, query };
}

const people = ['adults', 'children', 'infants', 'pets'] as const;
const shownFields = [
  '/checkIn',
  '/checkOut',
  '/adjustPercent',
  '/party/childAges',
  ...people.map((name) => `/party/${name}`),
];

/** The price of a chosen stay at the draft, line by line. */
export function Calculator({ stay, setStay, query }: ReturnType<typeof usePrice>) {
  const errors = fieldErrors(query.error);
  const failure = failureBeside(query.error, shownFields);
  const number = (name: (typeof people)[number], label: string, min: number) => (
    <NumberInput
      label={label}
      min={min}
      max={99}
      value={stay[name]}
      error={errors.get(`/party/${name}`)}
      onChange={(value) => setStay({ ...stay, [name]: Number(value) || min })}
    />
  );
  return (
    <Section
      id={sectionId('Price of a stay')}
      title="Price of a stay"
      about="With the form as it is now, saved or not."
    >
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            type="date"
            label="Arrival"
            value={stay.checkIn}
            error={errors.get('/checkIn')}
            onChange={({ currentTarget: { value } }) =>
              value && setStay({ ...stay, checkIn: value })
            }
          />
          <TextInput
            type="date"
            label="Departure"
            value={stay.checkOut}
            error={errors.get('/checkOut')}
            onChange={({ currentTarget: { value } }) =>
              value && setStay({ ...stay, checkOut: value })
            }
          />
        </Group>
        <Group grow align="flex-start">
          {number('adults', 'Adults', 1)}
          {number('children', 'Children', 0)}
        </Group>
        <Group grow align="flex-start">
          {number('infants', 'Infants', 0)}
          {number('pets', 'Pets', 0)}
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label="Ages of the children"
            placeholder="4, 9"
            value={stay.childAges}
            error={errors.get('/party/childAges')}
            onChange={({ currentTarget }) => setStay({ ...stay, childAges: currentTarget.value })}
          />
          <NumberInput
            label="Price change in %"
            min={-100}
            max={1_000}
            decimalScale={2}
            value={stay.adjustPercent}
            error={errors.get('/adjustPercent')}
            onChange={(value) => setStay({ ...stay, adjustPercent: Number(value) || 0 })}
          />
        </Group>
        <div aria-live="polite">
          {query.isPending && <Skeleton height={120} />}
          {failure && <Failure error={failure} />}
          {query.data && !query.error && <ExplainedPrice {...query.data} />}
        </div>
      </Stack>
    </Section>
  );
}
