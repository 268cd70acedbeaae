import { isReference } from '../bookings/index.ts';
import { isUuid } from '../platform/uuid.ts';

const isId = (text: string): boolean => isUuid(text.toLowerCase()) || isReference(text);

/**
 * The path of a call as it may be kept: what stands in the place of an ID is shown only where it is
 * one, for a caller can put anything there, a guest's email included.
 *
 * @param route the path as it was routed, `/v1/listings/:listingId`
 */
export const loggedPath = (route: string, params: Readonly<Record<string, string>>): string =>
  route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const given = params[name] ?? '';
    return isId(given) ? given : `{${name}}`;
  });
