/** Columns that tables about reservations have in common. */
import { Stack, Text } from '@mantine/core';
import type { Column } from '../../base/components/item-table.tsx';
import { TextLink } from '../../base/components/links.tsx';
import { GuestAndHome } from './guest-and-home.tsx';

/** The reservation, with the name of the partner below it. */
export const reservationColumn: Column<{ reference: string; application: string }> = {
  name: 'Reservation',
  cell: ({ reference, application }) => (
    <Stack gap={0}>
      <TextLink to="/reservations/$reference" params={{ reference }} className="mono whole">
        {reference}
      </TextLink>
      <Text size="xs" c="dimmed">
        {application}
      </Text>
    </Stack>
  ),
};

/** The home; its slug is shown on hover, and where the home has no name. */
export const homeColumn: Column<{
  listingName: string | null;
  listing: string | null;
  listingId: string;
}> = {
  name: 'Home',
  cell: ({ listingName, listing, listingId }) => (
    <span title={listing ?? listingId}>{listingName ?? listing ?? listingId}</span>
  ),
};

/** Who comes, and where. */
export const guestAndHomeColumn: Column<
  Pick<Parameters<typeof GuestAndHome>[0], 'guest' | 'phone' | 'listing' | 'listingName'>
> = {
  name: 'Guest and home',
  cell: ({ guest, phone, listing, listingName }) => (
    <GuestAndHome {...{ guest, phone, listing, listingName }} />
  ),
};
