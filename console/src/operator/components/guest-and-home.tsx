import { Group, Stack, Text } from '@mantine/core';
import { PhoneLink } from './phone-link.tsx';

/** Who and where a row is about: name and phone, then home and what no other column of the table has. */
export const GuestAndHome = ({
  guest,
  phone,
  listing,
  listingName,
  reference = null,
  application = null,
}: {
  guest: string | null;
  phone: string | null;
  /** The home's slug. */
  listing: string | null;
  listingName: string | null;
  /** The reservation. */
  reference?: string | null;
  /** The partner's name. */
  application?: string | null;
}) => (
  <Stack gap={0} className="who">
    {guest !== null && (
      <Group gap="0 0.5rem" align="baseline">
        <Text size="sm">{guest}</Text>
        <PhoneLink phone={phone} />
      </Group>
    )}
    <Text size="xs" c="dimmed" component={Group} gap="0 0.5rem">
      {listing !== null && <span title={listing}>{listingName ?? listing}</span>}
      {application !== null && <span>{application}</span>}
      {reference !== null && <span className="mono whole">{reference}</span>}
    </Text>
  </Stack>
);
