import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import { Section } from '../../../base/components/section.tsx';
import { moneyText } from '../../../base/words/money.ts';
import type { Reservation } from '../../api/reservations.ts';
import { dayText, todayAt, zonedInstant } from '../../words/days.ts';
import { refundsOnDay } from './refund-on-day.ts';

function balanceText({ balances, charges }: Reservation): string {
  if (balances === null) return 'The partner collects';
  const { open } = balances;
  const amount = moneyText(Math.abs(open), charges.currency);
  if (open === 0) return 'Nothing is open';
  return open > 0 ? `${amount} to collect` : `${amount} to refund`;
}

/** What the terms refund if it is cancelled on a day that staff choose. */
function RefundOnDay({ reservation }: { reservation: Reservation }) {
  const { charges, listing, terms } = reservation;
  const timeZone = listing.timeZone ?? null;
  const [day, setDay] = useState(() => todayAt(timeZone));
  const parts = refundsOnDay(terms.cancellation, day, timeZone);
  return (
    <Stack gap={4}>
      <TextInput
        type="date"
        size="xs"
        label="Refund if it is cancelled on"
        description={`By the clock of the home (${timeZone ?? 'UTC'}).`}
        className="whole"
        value={day}
        onChange={({ currentTarget: { value } }) => value !== '' && setDay(value)}
      />
      <div aria-live="polite">
        {parts.map(({ until, refund }, at) => (
          <Text key={until ?? 'rest'} size="sm">
            <strong>{moneyText(refund, charges.currency)}</strong>
            {until !== null && ` until ${until}`}
            {until === null && at > 0 && ' afterwards'}
          </Text>
        ))}
      </div>
    </Stack>
  );
}

/** What a guest asks on the phone: price, balance, and the refund of today or another day. */
export function AtAGlance({ reservation }: { reservation: Reservation }) {
  const { charges, refund, state, terms, listing } = reservation;
  const { currency } = charges;
  const timeZone = listing.timeZone ?? null;
  return (
    <Section title="Price and refund">
      <Stack gap="sm">
        <Facts
          facts={{
            Price: <strong>{moneyText(charges.total, currency)}</strong>,
            Balance: <strong>{balanceText(reservation)}</strong>,
            Paid: reservation.balances && moneyText(reservation.balances.collected, currency),
            'Refund now': state === 'confirmed' && (
              <strong>{moneyText(refund.dueNow, currency)}</strong>
            ),
            'Refund of the cancellation': refund.decided !== null && (
              <strong>{moneyText(refund.decided, currency)}</strong>
            ),
          }}
        />
        {state === 'confirmed' && <RefundOnDay reservation={reservation} />}
        {state === 'confirmed' && terms.cancellation.length > 0 && (
          <Facts
            facts={Object.fromEntries(
              terms.cancellation.map(({ before, refundAmount }) => {
                const { day, time } = zonedInstant(before, timeZone);
                return [`Refund until ${dayText(day)}, ${time}`, moneyText(refundAmount, currency)];
              }),
            )}
          />
        )}
      </Stack>
    </Section>
  );
}
