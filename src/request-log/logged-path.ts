import { isReference } from '../bookings/index.ts';
import { operationIds, rowOf } from '../contract/partner/operations.ts';
import { isUuid } from '../platform/uuid.ts';

/** Whether a text identifies a resource, and so can be nothing else, such as a guest's email. */
const isId = (text: string): boolean => isUuid(text.toLowerCase()) || isReference(text);

/**
 * Returns the path of a call for the log. A path parameter is shown only if it is an ID, because a caller can
 * send anything there, for example a guest's email.
 *
 * @param route the matched route, such as `/v1/listings/:listingId`
 */
export const loggedPath = (route: string, params: Readonly<Record<string, string>>): string =>
  route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const given = params[name] ?? '';
    return isId(given) ? given : `{${name}}`;
  });

const words: ReadonlySet<string> = new Set(
  operationIds.flatMap((id) =>
    rowOf(id)
      .path.split('/')
      .filter((part) => !part.startsWith('{')),
  ),
);
// No path of the contract has more parts than five.
const mostParts = 8;

const shownPart = (part: string): string => (words.has(part) || isId(part) ? part : '{unknown}');

/** Returns an unknown path for the log: the words of known paths and IDs, and nothing else. */
export function unknownPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const parts = path.split('/');
  const shown = parts.slice(0, mostParts).map(shownPart).join('/');
  return parts.length > mostParts ? `${shown}/…` : shown;
}
