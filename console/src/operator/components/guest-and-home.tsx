import { Stack, Text } from '@mantine/core';
import { PhoneLink } from './phone-link.tsx';

/** Who and where a row is about: name, phone and home, and the reservation where no other column has it. */
export const GuestAndHome = ({
  guest,
  phone,
  listing,
  listingName,
  reference,
  hasReference = false,
}: {
  guest: string | null;
  phone: string | null;
  /** The home's slug. */
  listing: string | null;
  listingName: string | null;
  reference: string | null;
  hasReference?: boolean;
}) => (
  <Stack gap={0} align="flex-start">
    <Text size="sm">{guest ?? '–'}</Text>
    <PhoneLink phone={phone} />
    {listing !== null && (
      <Text size="xs" c="dimmed" title={listing}>
        {listingName ?? listing}
      </Text>
    )}
    {hasReference && reference !== null && (
      <Text size="xs" c="dimmed" className="mono">
        {reference}
      </Text>
    )}
  </Stack>
);
