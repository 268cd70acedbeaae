/**
 * The script that the document of the console runs before all others: it asks for the session, for what the page of
 * the address reads, and for the code of the page. All of it comes while the code of every page is loaded. Nothing
 * that draws is imported here.
 */
import { basePath } from '../base-path.ts';
import { parseSearch } from '../base/search.ts';
import { keepRead } from './api/begun-reads.ts';
import { sessionQuery } from './api/session.ts';
import { pageAt } from './page-at.ts';
import { type PageRoute, type Read, reads } from './reads.ts';

const begin: Read = ({ queryKey, queryFn }) => {
  if (typeof queryFn !== 'function') return;
  const { signal } = new AbortController();
  const given = { queryKey, signal } as Parameters<typeof queryFn>[0];
  keepRead(queryKey, Promise.resolve(queryFn(given)));
};

/** What a page reads, whatever its route is: the parameters are those that the route names. */
type ReadsOfAny = (at: { params: Record<string, string>; search: object }, read: Read) => void;

/** The files of each page, beside this one. The build names them. */
declare const pageFiles: Readonly<Record<PageRoute, readonly string[]>>;

const folder = import.meta.url;

function beginCode(route: PageRoute): void {
  const links = pageFiles[route].map((file) => {
    const href = new URL(file, folder).href;
    return Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      crossOrigin: '',
      href,
    });
  });
  document.head.append(...links);
}

function beginPage({ pathname, search }: Location): void {
  const page = pageAt(pathname.slice(`${basePath}/operator`.length));
  if (!page) return;
  begin(sessionQuery);
  const filters = Object.entries(parseSearch(search)).filter(([, value]) => value !== '');
  const at = { params: page.params, search: Object.fromEntries(filters) };
  (reads[page.route] as ReadsOfAny)(at, begin);
  beginCode(page.route);
}

beginPage(window.location);
