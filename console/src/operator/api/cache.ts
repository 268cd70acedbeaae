/** What the pages have read. */
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { createClient } from '../../base/api/client.ts';
import { notifyFailure } from '../../base/components/notify.tsx';
import type { Read } from '../reads.ts';
import { takeRead } from './begun-reads.ts';
import { sessionQuery } from './session.ts';

// What a route began to read is not read again by its page.
const freshMs = 1_000;

export const client = createClient(sessionQuery.queryKey, notifyFailure, freshMs);

/** The query, answered the first time by what the document has asked for, if it has. */
function withBegun<Data, Key extends QueryKey>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
): FetchQueryOptions<Data, Error, Data, Key> {
  const { queryKey, queryFn } = query;
  let begun = takeRead(queryKey);
  if (!begun || typeof queryFn !== 'function') return query;
  return {
    ...query,
    queryFn: (context) => {
      const answer = begun as Promise<Data> | undefined;
      begun = undefined;
      return answer ? answer.catch(() => queryFn(context)) : queryFn(context);
    },
  };
}

/** Starts to read, while the code of the page is read and before it is known who asks. The page shows failures. */
export const readEarly: Read = (query) => void client.prefetchQuery(withBegun(query));
