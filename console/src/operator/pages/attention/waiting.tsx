import { Button, Stack, Text } from '@mantine/core';
import { ActButton } from '../../../base/components/act-button.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { withDayTexts } from '../../../base/words/dates.ts';
import { moneyText } from '../../../base/words/money.ts';
import { type AttentionItem, confirmUnusual } from '../../api/attention.ts';
import { useMay } from '../../frame/session.ts';
import { GuestAndHome } from '../../components/guest-and-home.tsx';
import { openCloseEffect, openReturn } from './dialogs.tsx';
import { kindOf } from './kinds.ts';

/** Closes an item of unusual prices. */
function MeantPrices({ item, act }: { item: AttentionItem; act: string }) {
  const { subject, listing } = item;
  const may = useMay('inventory');
  return (
    <Stack gap={4} align="flex-start">
      <TextLink to="/calendar" search={listing === null ? {} : { text: listing }} size="sm">
        {act}
      </TextLink>
      {may && (
        <ActButton act={() => confirmUnusual(subject)} done="The prices stay as they are.">
          They are meant
        </ActButton>
      )}
    </Stack>
  );
}

const returnable: ReadonlySet<string> = new Set(['refund_refused', 'refund_failed']);

const ofChannels: ReadonlySet<string> = new Set([
  'calendar_failing',
  'calendar_shrunk',
  'conflict',
]);

/** The act itself, or a link to the page where it is. */
export function ActLink({ item }: { item: AttentionItem }) {
  const { kind, subject, reference, checkoutId, amount, currency } = item;
  const { act } = kindOf(kind);
  const mayMoveMoney = useMay('money');
  if (kind === 'unusual_prices') return <MeantPrices item={item} act={act} />;
  if (kind === 'unmatched' && mayMoveMoney) {
    return (
      <Button size="compact-xs" variant="default" onClick={() => openCloseEffect(subject)}>
        Close it
      </Button>
    );
  }
  const isKept = reference === null && returnable.has(kind) && checkoutId !== null;
  if (isKept && amount !== null && currency !== null && mayMoveMoney) {
    return (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => openReturn({ checkoutId, amount, currency })}
      >
        Record that it went back
      </Button>
    );
  }
  if (ofChannels.has(kind)) {
    return (
      <TextLink to="/channels" size="sm">
        {act}
      </TextLink>
    );
  }
  const [applicationId = ''] = subject.split(' ');
  if (kind === 'webhook_failing') {
    return (
      <TextLink to="/partners/$applicationId/webhooks" params={{ applicationId }} size="sm">
        {act}
      </TextLink>
    );
  }
  if (kind === 'change_request') {
    return (
      <TextLink to="/change-requests" search={{}} size="sm">
        {act}
      </TextLink>
    );
  }
  if (reference !== null) {
    return (
      <TextLink to="/reservations/$reference" params={{ reference }} hash="money" size="sm">
        {act}
      </TextLink>
    );
  }
  if (checkoutId === null) return <Text size="sm">{act}</Text>;
  return (
    <TextLink to="/checkouts/$checkoutId" params={{ checkoutId }} search={{}} size="sm">
      {act}
    </TextLink>
  );
}

const until: Column<AttentionItem> = {
  name: 'Until',
  share: 9,
  cell: ({ deadline }) => (deadline === null ? '–' : <Moment at={deadline} />),
};

const columns: readonly Column<AttentionItem>[] = [
  {
    name: 'What',
    share: 8,
    cell: ({ kind, since }) => (
      <Stack gap={2} align="flex-start">
        <StateBadge words={kindOf(kind).label} />
        <Moment at={since} />
      </Stack>
    ),
  },
  {
    name: 'Who and where',
    share: 16,
    cell: ({ guest, phone, listing, listingName, application, reference }) => (
      <GuestAndHome {...{ guest, phone, listing, listingName, application, reference }} />
    ),
  },
  {
    name: 'Amount',
    share: 8,
    isFigure: true,
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? '–' : moneyText(amount, currency),
  },
  {
    name: 'Why',
    share: 24,
    cell: ({ reason, code }) => (
      <Text size="sm" className="note-lines" title={code ?? undefined}>
        {withDayTexts(reason)}
      </Text>
    ),
  },
  until,
  { name: 'What to do', share: 16, cell: (item) => <ActLink item={item} /> },
];

const keyOf = ({ kind, subject }: AttentionItem): string => `${kind} ${subject}`;

const withoutUntil = columns.filter((column) => column !== until);

/** What waits for people, each with what closes it. Few things have an end: without one, the others get its width. */
export const Waiting = ({ items }: { items: readonly AttentionItem[] }) => (
  <ItemTable
    caption="What waits for people"
    items={items}
    keyOf={keyOf}
    columns={items.some(({ deadline }) => deadline !== null) ? columns : withoutUntil}
  />
);
