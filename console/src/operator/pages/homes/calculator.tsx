import {
  Alert,
  Group,
  List,
  NumberInput,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/parts/failure.tsx';
import { failureBeside, fieldErrors } from '../../../base/parts/field-errors.ts';
import { sectionId } from '../../../base/parts/contents.tsx';
import { Section } from '../../../base/parts/section.tsx';
import { homes } from '../../api/homes.ts';
import type { DraftPrice, HomeContent } from '../../api/homes-types.ts';
import { dateOf, dayOf, dayText, todayHere } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';

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
    pets: 0,
  });
  // Two values, because a new object at each rendering would be waited for without an end.
  const [listing] = useDebouncedValue(draft, typedMs);
  const [wanted] = useDebouncedValue(stay, typedMs);
  const query = useQuery({
    queryKey: ['price', listing, wanted],
    queryFn: ({ signal }) => {
      const { adults, children, pets, checkIn, checkOut } = wanted;
      const party = { adults, children, pets };
      return homes.price({ listing, checkIn, checkOut, party }, signal);
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { stay, setStay, query };
}

const Lines = ({ charges }: { charges: NonNullable<DraftPrice['charges']> }) => {
  const money = (amount: number) => moneyText(amount, charges.currency);
  return (
    <Table verticalSpacing={4} fz="sm">
      <Table.Tbody>
        {charges.lines.map(({ kind, label, amount }) => (
          <Table.Tr key={`${kind} ${label}`}>
            <Table.Td className="break">
              {label}
              {label.toLowerCase() !== kind && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  {kind}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="end">{money(amount)}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr fw={700}>
          <Table.Td>Total</Table.Td>
          <Table.Td ta="end">{money(charges.total)}</Table.Td>
        </Table.Tr>
        {charges.schedule.map(({ dueOn, amount }) => (
          <Table.Tr key={dueOn}>
            <Table.Td>
              <Text span size="sm" c="dimmed">
                Due {dayText(dueOn)}
              </Text>
            </Table.Td>
            <Table.Td ta="end">{money(amount)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

const shownFields = ['/checkIn', '/checkOut', '/party/adults', '/party/children', '/party/pets'];

/** The price of a chosen stay at the draft, line by line. */
export function Calculator({ stay, setStay, query }: ReturnType<typeof usePrice>) {
  const errors = fieldErrors(query.error);
  const failure = failureBeside(query.error, shownFields);
  const number = (name: 'adults' | 'children' | 'pets', label: string, min: number) => (
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
          {number('pets', 'Pets', 0)}
        </Group>
        <div aria-live="polite">
          {query.isPending && <Skeleton height={120} />}
          {failure && <Failure error={failure} />}
          {query.data && !query.error && (
            <Stack gap="sm">
              {query.data.broken.length > 0 && (
                <Alert color="yellow" variant="light" title="Partners cannot book this stay">
                  <List size="sm">
                    {query.data.broken.map(({ rule, message }) => (
                      <List.Item key={rule}>{message}</List.Item>
                    ))}
                  </List>
                </Alert>
              )}
              {query.data.charges ? (
                <Lines charges={query.data.charges} />
              ) : (
                <Text size="sm">A night has no price, so this stay cannot be quoted.</Text>
              )}
            </Stack>
          )}
        </div>
      </Stack>
    </Section>
  );
}
