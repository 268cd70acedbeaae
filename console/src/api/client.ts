import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailure } from './call.ts';
import { sessionQuery } from './queries.ts';

const triesAfterFailure = 2;

const isFinal = (error: Error): boolean =>
  error instanceof CallFailure && error.status >= 400 && error.status < 500;

/** What the page knows, kept while it is open. `notify` is for a change that failed and is shown nowhere else. */
export function createClient(notify: (error: Error) => void): QueryClient {
  // Wherever a call is answered 401, the session is over for the whole page.
  const endSession = (error: Error) => {
    if (error instanceof CallFailure && error.status === 401) {
      client.setQueryData(sessionQuery.queryKey, null);
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({
      onSuccess: () => void client.invalidateQueries(),
      onError: (error, _variables, _context, mutation) => {
        endSession(error);
        if (!mutation.meta?.['shown']) notify(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => !isFinal(error) && failures < triesAfterFailure,
        retryDelay: 1000,
      },
    },
  });
  return client;
}
