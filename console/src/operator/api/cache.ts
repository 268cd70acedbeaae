/** What the pages have read. */
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { createClient } from '../../base/api/client.ts';
import { notifyFailure } from '../../base/components/notify.tsx';
import { sessionQuery } from './session.ts';

// What a route began to read is not read again by its page.
const freshMs = 1_000;

export const client = createClient(sessionQuery.queryKey, notifyFailure, freshMs);

/** Starts to read, while the code of the page is read and before it is known who asks. The page shows failures. */
export function readEarly<Data, Key extends QueryKey>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  void client.prefetchQuery(query);
}
