import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isoInstant } from '../words/dates.ts';
import { Failure } from './failure.tsx';
import { Moment } from './moment.tsx';

/** Stands where data will be. */
export const Loading = () => (
  <Stack gap="sm" role="status" aria-label="Loading">
    <Skeleton height={28} width="40%" />
    <Skeleton height={56} />
    <Skeleton height={56} />
  </Stack>
);

/** Marks the shown data as outdated while a refetch fails. */
const Outdated = ({ query }: { query: UseQueryResult<unknown> }) => (
  <Alert color="yellow" variant="light" role="status" title="This data is out of date">
    <Group gap="sm" justify="space-between">
      <span>
        {query.error?.message} Last read <Moment at={isoInstant(query.dataUpdatedAt)} />.
      </span>
      <Button size="xs" variant="default" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Group>
  </Alert>
);

/** Shows the data of a query, its loading state or its error. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined) {
    if (query.isPending || query.isFetching) return <Loading />;
    return (
      <Failure
        error={query.error ?? new Error('The data could not be read.')}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <Stack gap="md">
      {query.isError && <Outdated query={query} />}
      {children(query.data)}
    </Stack>
  );
}
