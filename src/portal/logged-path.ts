import { isReference } from '../domain/reference.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isId = (text: string): boolean => uuid.test(text) || isReference(text);

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
