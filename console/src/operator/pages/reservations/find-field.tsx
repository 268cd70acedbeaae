import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { referenceForm } from '#contract/reference.ts';
import type { ReservationFilter } from '../../api/reservations.ts';

/** What a text that staff search for is: an email, our reference, or else a reference of a partner. */
function filterOfText(text: string): ReservationFilter {
  const found = text.trim();
  const none = { reference: undefined, guestEmail: undefined, partnerReference: undefined };
  if (found === '') return none;
  if (found.includes('@')) return { ...none, guestEmail: found };
  const reference = found.toUpperCase();
  if (referenceForm.test(reference)) return { ...none, reference };
  return { ...none, partnerReference: found };
}

/** Finds reservations by the text of a guest or partner. */
export function FindField({
  filter,
  onFind,
}: {
  filter: ReservationFilter;
  onFind: (change: ReservationFilter) => void;
}) {
  const shown = filter.reference ?? filter.guestEmail ?? filter.partnerReference ?? '';
  const [text, setText] = useState(shown);
  const find = () => text.trim() !== shown && onFind(filterOfText(text));
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
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={find}
      onKeyDown={({ key }) => key === 'Enter' && find()}
    />
  );
}
