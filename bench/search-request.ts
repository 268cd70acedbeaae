import { requestBytes } from './http-client.ts';

const dayMs = 86_400_000;
/** The date in this number of days. */
export const dayFrom = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** The request of a search of a week for two, with optional members. */
export function searchRequest(token: string, members: object = {}, headers = {}): string {
  const body = { checkIn: dayFrom(40), checkOut: dayFrom(47), party: { adults: 2 }, ...members };
  const all = { authorization: `Bearer ${token}`, ...headers };
  return requestBytes('POST', '/v1/listings/search', all, body);
}
