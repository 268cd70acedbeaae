import { isReference } from '../bookings/index.ts';
import { isUuid } from '../platform/uuid.ts';

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
