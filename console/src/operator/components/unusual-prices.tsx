import { Alert, Checkbox, List, Stack, Text } from '@mantine/core';
import { CallFailure } from '../../base/api/call.ts';
import { moneyText } from '../../base/words/money.ts';
import { counted } from '../../base/words/plural.ts';
import type { RatesImported } from '../api/homes-types.ts';
import { dayText } from '../words/days.ts';

type Unusual = RatesImported['unusual'];

const shownEntries = 10;

/** The nights for which the service has refused unusual prices; null: it refused something else, or nothing. */
export function unusualOf(error: Error | null): Unusual | null {
  return error instanceof CallFailure && error.reason === 'unusual_prices'
    ? (error.details as { unusual: Unusual }).unusual
    : null;
}

/** Nights whose price would change so much that it is probably a mistake, with the tick that says it is none. */
export function UnusualPrices({
  unusual: { nights, first },
  isAllowed,
  onChange,
}: {
  unusual: Unusual;
  isAllowed: boolean;
  onChange: (isAllowed: boolean) => void;
}) {
  const title = `${counted(nights, 'night')} would cost less than a fifth or more than five times of now`;
  return (
    <Alert color="yellow" variant="light" role="alert" title={title}>
      <Stack gap="xs">
        <List size="sm" listStyleType="none">
          {first.slice(0, shownEntries).map(({ listing, currency, from, to, before, after }) => (
            <List.Item key={`${listing} ${from}`} className="break">
              {listing}, {from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`}:{' '}
              {moneyText(before, currency)} → {moneyText(after, currency)}
            </List.Item>
          ))}
        </List>
        {first.length > shownEntries && (
          <Text size="sm" c="dimmed">
            … and more
          </Text>
        )}
        <Checkbox
          label="These prices are meant"
          checked={isAllowed}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      </Stack>
    </Alert>
  );
}
