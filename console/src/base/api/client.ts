import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { CallFailure } from './call.ts';

const triesAfterFailure = 2;

// While an upgrade replaces one process after the other, the next one that is asked can have what this one has not.
const isFinal = (error: Error): boolean =>
  error instanceof CallFailure &&
  error.status >= 400 &&
  error.status < 500 &&
  !error.isOfOtherRelease;

/**
 * Creates the cache of a page. `sessionKey` is the query of the session, null after it has ended; `notify`
 * shows a failed change that no component shows. What was read within `freshMs` is not read again.
 */
export function createClient(
  sessionKey: QueryKey,
  notify: (error: Error) => void,
  freshMs = 0,
): QueryClient {
  // Any 401 ends the session for the whole page.
  const endSession = (error: Error) => {
    if (error instanceof CallFailure && error.status === 401) {
      client.setQueryData(sessionKey, null);
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
      // Without a network, a change fails at once. Waiting for one, it would be sent later, when nobody looks.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: freshMs,
        retry: (failures, error) => !isFinal(error) && failures < triesAfterFailure,
        retryDelay: 1000,
      },
    },
  });
  return client;
}
