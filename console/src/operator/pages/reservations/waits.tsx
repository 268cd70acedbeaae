import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Moment } from '../../../base/components/moment.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { withDayTexts } from '../../../base/words/dates.ts';
import { moneyText } from '../../../base/words/money.ts';
import { attentionQuery } from '../../api/attention.ts';
import { kindOf } from '../attention/kinds.ts';
import { ActLink } from '../attention/waiting.tsx';

/** What waits for people about a reservation: requests of the partner, nights sold twice, money. */
export function Waits({ reference }: { reference: string }) {
  const { data } = useQuery(attentionQuery);
  const own = data?.items.filter((item) => item.reference === reference) ?? [];
  return own.map((item) => {
    const { kind, subject, reason, code, amount, currency, deadline } = item;
    return (
      <Alert
        key={`${kind} ${subject}`}
        color="orange"
        variant="light"
        title={<span title={code ?? undefined}>{withDayTexts(reason)}</span>}
      >
        <Group gap="sm">
          <StateBadge words={kindOf(kind).label} />
          {amount !== null && currency !== null && moneyText(amount, currency)}
          <ActLink item={item} />
          {deadline !== null && (
            <span>
              Until <Moment at={deadline} />
            </span>
          )}
        </Group>
      </Alert>
    );
  });
}
