/**
 * The script that the document of the console runs before all others: it asks for the session, and for what the page
 * of the address reads. The answers come while the code is loaded. Nothing that draws is imported here.
 */
import { basePath } from '../base-path.ts';
import { parseSearch } from '../base/search.ts';
import { keepRead } from './api/begun-reads.ts';
import { sessionQuery } from './api/session.ts';
import { pageAt } from './page-at.ts';
import { type Read, reads } from './reads.ts';

const begin: Read = ({ queryKey, queryFn }) => {
  if (typeof queryFn !== 'function') return;
  const { signal } = new AbortController();
  const given = { queryKey, signal } as Parameters<typeof queryFn>[0];
  keepRead(queryKey, Promise.resolve(queryFn(given)));
};

/** What a page reads, whatever its route is: the parameters are those that the route names. */
type ReadsOfAny = (at: { params: Record<string, string>; search: object }, read: Read) => void;

function beginReads({ pathname, search }: Location): void {
  const page = pageAt(pathname.slice(`${basePath}/operator`.length));
  if (!page) return;
  begin(sessionQuery);
  const filters = Object.entries(parseSearch(search)).filter(([, value]) => value !== '');
  const at = { params: page.params, search: Object.fromEntries(filters) };
  (reads[page.route] as ReadsOfAny)(at, begin);
}

beginReads(window.location);
