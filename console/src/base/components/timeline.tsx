import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, use } from 'react';
import { moneyText } from '../words/money.ts';
import { capitalized, productWord } from '../words/product-words.ts';
import { JsonBlock } from './code-block.tsx';
import { Moment } from './moment.tsx';
import { ForDevelopers } from './word.tsx';

/** Something that happened. */
export interface PastItem {
  at: string;
  what: string;
  actor?: string;
  /** Null: it was erased with the guest. */
  reason?: string | null;
}

type Details = PastItem & Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How a word of the machine is shown within a sentence. */
type InSentence = (machine: unknown) => string;

const forStaff: InSentence = (machine) => productWord(text(machine)).toLowerCase();
const forDevelopers: InSentence = text;

const amountOf = ({ amount, total, currency }: Details): string => {
  const minor = amount ?? total;
  return typeof minor === 'number' && typeof currency === 'string'
    ? moneyText(minor, currency)
    : '';
};

/** Why the card provider has refused. */
const whyOf = ({ declined }: Details): string => (declined ? `: ${text(declined)}` : '');

/** What happened, in a few words; what this page does not know is shown by its name. */
const words: Readonly<Record<string, (item: Details, word: InSentence) => string>> = {
  'quote.created': (item) => `Quote for ${amountOf(item)}`,
  'checkout.created': () => 'Checkout created',
  'checkout.submitted': () => 'Checkout submitted',
  'checkout.resolved': ({ state, reason }, word) =>
    `Checkout became ${word(state)}${reason ? `: ${word(reason)}` : ''}`,
  'request.created': () => 'Reservation request created',
  'request.submitted': () => 'Reservation request submitted',
  'request.resolved': ({ state, reason }, word) =>
    `Request became ${word(state)}${reason ? `: ${word(reason)}` : ''}`,
  command: ({ operation, refused }, word) =>
    `${capitalized(word(operation))}${refused === true ? ' was refused' : ''}`,
  event: ({ type, sequence }, word) => `Event ${word(type)}, number ${String(sequence)}`,
  delivery: ({ eventType, state, attempts, lastError }, word) =>
    `Webhook ${word(eventType)} ${word(state)} after ${String(attempts)} attempts${lastError ? `: ${text(lastError)}` : ''}`,
  note: ({ text: noted }) => `Note: ${text(noted)}`,
  'reservation.create': () => 'Made by staff',
  'reservation.change': () => 'Changed by staff',
  'reservation.cancel': () => 'Cancelled by staff',
  'checkout.resolve': () => 'Resolved by staff',
  'payment.refund': () => 'Refund by staff',
  'payment.retry': () => 'The card provider was asked again by staff',
  'payment.booked': (item) => `Due: ${amountOf(item)}`,
  'payment.lowered': (item) => `Due lowered by ${amountOf(item)}`,
  'payment.raised': (item) => `Due raised by ${amountOf(item)}`,
  'payment.reduced': (item) => `Due lowered by ${amountOf(item)} by staff`,
  'payment.given_back': (item) => `${amountOf(item)} given back by staff`,
  'payment.written_off': (item) => `${amountOf(item)} written off`,
  'payment.uncovered': (item) => `Due lowered by ${amountOf(item)} that went back`,
  'payment.collected_elsewhere': (item) => `${amountOf(item)} collected elsewhere`,
  'payment.refunded_elsewhere': (item) => `${amountOf(item)} refunded elsewhere`,
  'payment.charged_back': (item) => `${amountOf(item)} charged back`,
  'payment.lost': (item) => `${amountOf(item)} lost: it went back beyond what was collected`,
  'payment.recovered': (item) => `${amountOf(item)} lost no more: the bank has sent it back`,
  'payment.dispute_fee': (item) => `Fee of ${amountOf(item)} for a dispute`,
  'payment.stopped': () => 'Collecting stopped by staff',
  'payment.started': () => 'Collecting started again by staff',
  'payment.cancelled': (item) => `Due lowered by ${amountOf(item)} with the cancellation`,
  'payment.requested': (item) => `Payment of ${amountOf(item)} requested`,
  'payment.action_needed': () => "The guest's bank asks the guest to confirm the payment",
  'payment.authorized': (item) => `${amountOf(item)} held on the card`,
  'payment.released': (item) => `Hold of ${amountOf(item)} ended`,
  'payment.captured': (item) => `${amountOf(item)} collected`,
  'payment.voided': () => 'Payment given up',
  'payment.refused': (item) => `Payment refused${whyOf(item)}`,
  'payment.unknown': () => 'Outcome of the payment not known',
  'payment.refund_requested': (item) => `Refund of ${amountOf(item)} requested`,
  'payment.refunded': (item) => `${amountOf(item)} refunded`,
  'payment.refund_refused': (item) => `Refund refused${whyOf(item)}`,
  'payment.refund_unknown': () => 'Outcome of the refund not known',
  'payment.refund_failed': (item) => `Refund of ${amountOf(item)} was returned by the bank`,
  'payment.disputed': (item) => `Payment disputed by the guest ${amountOf(item)}`.trim(),
  'records.ready': () => 'The operator’s own records have it',
};

const wordsOf = (item: Details, word: InSentence): string =>
  words[item.what]?.(item, word) ?? capitalized(word(item.what));

const machineWords = ({ what, operation, type, eventType }: Details): string =>
  [what, operation, type, eventType].filter((one) => typeof one === 'string').join(' ');

function Item({ item, link }: { item: Details; link: ReactNode }) {
  const { at, what, actor, reason, ...details } = item;
  const word = use(ForDevelopers) ? forDevelopers : forStaff;
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="baseline" justify="space-between">
        <Text size="sm" className="break">
          <span title={machineWords(item)}>{wordsOf(item, word)}</span> {link}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={at} />
        </Text>
      </Group>
      {actor !== undefined && (
        <Text size="xs" c="dimmed" className="break">
          {actor}
          {reason && `: ${reason}`}
        </Text>
      )}
      {Object.keys(details).length > 0 && (
        <details>
          <summary title={what}>
            <Text span size="xs">
              Details
            </Text>
          </summary>
          <JsonBlock value={details} />
        </details>
      )}
    </li>
  );
}

/** Everything that happened, oldest first. `linkOf` leads to a page about an item. */
export const Timeline = ({
  items,
  linkOf,
}: {
  items: readonly PastItem[];
  linkOf?: (item: Details) => ReactNode;
}) => (
  <Stack component="ol" gap="sm" className="timeline">
    {items.map((item) => (
      <Item key={JSON.stringify(item)} item={item as Details} link={linkOf?.(item as Details)} />
    ))}
  </Stack>
);
