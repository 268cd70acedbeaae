import { Anchor } from '@mantine/core';

/** A phone number that can be called with one click. */
export const PhoneLink = ({ phone, size = 'xs' }: { phone: string | null; size?: 'xs' | 'sm' }) =>
  phone !== null &&
  phone !== '' && (
    <Anchor href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} size={size} className="whole">
      {phone}
    </Anchor>
  );
