/** The addresses of pages, where a list has too many links to ask the router for each. */
import { basePath } from '../../base-path.ts';

/** The whole path of a page of the console, by the parts of its route and its search. */
export function hrefOf(path: readonly string[], search: Record<string, string> = {}): string {
  const query = new URLSearchParams(search).toString();
  const place = path.map(encodeURIComponent).join('/');
  return `${basePath}/operator/${place}${query && `?${query}`}`;
}
