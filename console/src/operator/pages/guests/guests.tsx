import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { Word } from '../../../base/components/word.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { guests } from '../../api/guests.ts';
import type { GuestWanted, BookingOfGuest } from '../../api/types.ts';
import { useMay } from '../../frame/session.ts';
import { EraseGuest } from './erase-guest.tsx';
import { ExportedGuest } from './exported-guest.tsx';

const columns: readonly Column<BookingOfGuest>[] = [
  {
    name: 'Guest',
    cell: ({ guest: { firstName, lastName, email, phone } }) => (
      <span className="break">{`${`${firstName} ${lastName}`.trim()}, ${email}, ${phone}`}</span>
    ),
  },
  {
    name: 'Reservation',
    cell: ({ reference }) =>
      reference === null ? (
        'none'
      ) : (
        <TextLink to="/reservations/$reference" params={{ reference }}>
          {reference}
        </TextLink>
      ),
  },
  { name: 'State', cell: ({ state }) => <Word of={state} /> },
  { name: 'Home', cell: ({ listing }) => listing ?? '–' },
  { name: 'Stay', cell: ({ checkIn, checkOut }) => <StayDays from={checkIn} to={checkOut} /> },
];

const wantedOf = (typed: Required<GuestWanted>): GuestWanted =>
  Object.fromEntries(
    Object.entries(typed)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ''),
  );

/** Finds one person. What is typed stays in the page: it is in no address. */
export function Guests() {
  const mayAct = useMay('reservations');
  const form = useForm<Required<GuestWanted>>({
    mode: 'controlled',
    initialValues: { email: '', phone: '', name: '', reference: '' },
  });
  const finding = useMutation({ mutationFn: guests.find, meta: { shown: true } });
  const failure = useFieldErrors(form, finding.error);
  const wanted = finding.variables;
  const items = finding.data?.items;
  return (
    <Stack gap="md">
      <PageTitle
        title="Guests"
        about="What is kept about one person: find, export, erase. Everything that you enter must fit."
      />
      <form
        onSubmit={form.onSubmit((typed) => finding.mutate(wantedOf(typed)))}
        noValidate
        autoComplete="off"
      >
        <Group gap="sm" align="flex-end">
          <TextInput label="Email" {...form.getInputProps('email')} />
          <TextInput label="Phone" {...form.getInputProps('phone')} />
          <TextInput label="Name" {...form.getInputProps('name')} />
          <TextInput label="Reservation" {...form.getInputProps('reference')} />
          <Button type="submit" loading={finding.isPending}>
            Find
          </Button>
        </Group>
      </form>
      {failure && <Failure error={failure} />}
      {items?.length === 0 && <Empty title="Nobody was found">Is it written in another way?</Empty>}
      {items !== undefined && items.length > 0 && (
        <Section title="Bookings">
          <ItemTable
            caption="Bookings"
            columns={columns}
            items={items}
            keyOf={({ checkoutId, kind }) => `${kind} ${checkoutId}`}
          />
        </Section>
      )}
      {mayAct && wanted && items !== undefined && items.length > 0 && (
        <>
          {wanted.email === undefined && wanted.reference === undefined && (
            <Text size="sm">To export or erase, find the person by email or reservation.</Text>
          )}
          <ExportedGuest key={`export ${JSON.stringify(wanted)}`} wanted={wanted} />
          <EraseGuest
            key={`erase ${JSON.stringify(wanted)}`}
            wanted={wanted}
            onErased={finding.reset}
          />
        </>
      )}
    </Stack>
  );
}
