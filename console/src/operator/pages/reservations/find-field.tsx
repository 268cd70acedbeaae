import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { referenceForm } from '#contract/reference.ts';
import { guests } from '../../api/guests.ts';
import type { ReservationFilter } from '../../api/reservations.ts';

const none = { reference: undefined, guestOf: undefined, partnerReference: undefined };

/** What a text that staff search for is: an email, our reference, or else a reference of a partner. */
async function filterOfText(text: string): Promise<ReservationFilter | null> {
  const found = text.trim();
  if (found === '') return none;
  if (found.includes('@')) return ofGuest(found);
  const reference = found.toUpperCase();
  if (referenceForm.test(reference)) return { ...none, reference };
  return { ...none, partnerReference: found };
}

/** The guest by one of the reservations, so that the email is in no address; null: nobody has this email. */
async function ofGuest(email: string): Promise<ReservationFilter | null> {
  const { items } = await guests.find({ email });
  const guestOf = items.find(({ reference }) => reference !== null)?.reference;
  return guestOf ? { ...none, guestOf } : null;
}

const shownText = ({ reference, guestOf, partnerReference }: ReservationFilter): string =>
  reference ?? (guestOf && `Guest of ${guestOf}`) ?? partnerReference ?? '';

/** Finds reservations by the text of a guest or partner. */
export function FindField({
  filter,
  onFind,
}: {
  filter: ReservationFilter;
  onFind: (change: ReservationFilter) => void;
}) {
  const shown = shownText(filter);
  const [text, setText] = useState(shown);
  const finding = useMutation({
    mutationFn: filterOfText,
    meta: { shown: true },
    onSuccess: (found) => found && onFind(found),
  });
  const find = () => text.trim() !== shown && finding.mutate(text);
  return (
    <TextInput
      label="Find"
      placeholder="Reference, email or partner reference"
      size="xs"
      className="find"
      leftSection={<IconSearch size={14} aria-hidden />}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={finding.data === null ? 'Nobody has this email' : finding.error?.message}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={find}
      onKeyDown={({ key }) => key === 'Enter' && find()}
    />
  );
}
