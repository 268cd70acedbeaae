import { Anchor } from '@mantine/core';

/** A phone number that can be called with one click. */
export const PhoneLink = ({ phone }: { phone: string | null }) =>
  phone !== null &&
  phone !== '' && (
    <Anchor href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} size="xs" className="nowrap">
      {phone}
    </Anchor>
  );
