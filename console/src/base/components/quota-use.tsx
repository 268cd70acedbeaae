import { Progress, Text } from '@mantine/core';

const nearlyFull = 90;

/** How much of a quota is used now. */
export function QuotaUse({ name, limit, left }: { name: string; limit: number; left: number }) {
  const used = limit - left;
  // A daily limit can be 0.
  const percent = limit === 0 ? 100 : (used / limit) * 100;
  return (
    <div>
      <Text size="sm">
        {name}: {used.toLocaleString('en')} of {limit.toLocaleString('en')} used
      </Text>
      <Progress
        value={percent}
        color={percent > nearlyFull ? 'red' : 'cyan'}
        aria-label={`Use of the quota ${name}`}
      />
    </div>
  );
}
