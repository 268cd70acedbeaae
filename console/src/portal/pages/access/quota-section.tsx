import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { quotasQuery } from '../../api/queries.ts';
import type { Quotas } from '../../api/types.ts';
import { Loaded } from '../../../base/components/loaded.tsx';
import { QuotaUse } from '../../../base/components/quota-use.tsx';
import { Section } from '../../../base/components/section.tsx';

const QuotasView = ({ quotas }: { quotas: Quotas }) => (
  <Stack gap="sm">
    {quotas.tiers.map(({ tier, perMinute, available }) => (
      <QuotaUse key={tier} name={tier} limit={perMinute} left={available} />
    ))}
    {quotas.reservationsPerDay && (
      <QuotaUse
        name="reservations today (UTC)"
        limit={quotas.reservationsPerDay.limit}
        left={Math.max(0, quotas.reservationsPerDay.limit - quotas.reservationsPerDay.used)}
      />
    )}
    {!quotas.exact && (
      <Text size="sm">
        Several servers share your quotas just now:{' '}
        {quotas.tiers.map(({ tier, limit }) => `${tier} ${limit.toLocaleString('en')}`).join(', ')}{' '}
        a minute in all. These are the figures of one of them.
      </Text>
    )}
  </Stack>
);

/** How much of the quotas is used now. */
export function QuotaSection() {
  const query = useQuery(quotasQuery);
  return (
    <Section
      title="Quotas"
      about="Calls per minute, and how many are used just now. The quota refills continuously."
    >
      <Loaded query={query}>{(quotas) => <QuotasView quotas={quotas} />}</Loaded>
    </Section>
  );
}
