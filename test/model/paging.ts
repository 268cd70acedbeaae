/** Compares the list of requests, page by page, with the expected ones. */
import { isDeepStrictEqual } from 'node:util';
import type { ReplyOf } from '../../src/contract/partner/operations.ts';
import type { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import { isNewestFirst, requestViewOf, showsRequest } from './requests.ts';
import { requestsOf, type AccountName, type World } from './world.ts';

type Page = ReplyOf<'reservation.reservationRequest.list'>['body'];

/** Reads the whole list; throws if a request is missing, repeated or different. */
export async function pageRequests(
  sessionClients: SessionClients,
  worlds: readonly World[],
  by: AccountName,
  limit: number,
): Promise<void> {
  const found: Page['items'] = [];
  for (let cursor: string | null = null; ;) {
    const query = { limit, ...(cursor !== null && { cursor }) };
    const page: Page = await sessionClients.partners[by].succeed(
      'reservation.reservationRequest.list',
      {
        query,
      },
    );
    found.push(...page.items);
    if (page.items.length > limit) throw new Difference(`a page of ${page.items.length}`);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  if (!isNewestFirst(found)) throw new Difference(`${by}'s requests are not the newest first`);
  const shown = found
    .map((item) => JSON.stringify(showsRequest(sessionClients, by, item)))
    .toSorted();
  const expected = worlds.map(({ accounts }) =>
    requestsOf(accounts[by])
      .map(([name, request]) => JSON.stringify(requestViewOf(name, request)))
      .toSorted(),
  );
  if (expected.some((one) => isDeepStrictEqual(one, shown))) return;
  throw new Difference(`${by}'s requests are ${shown}, not ${expected.join(' or ')}`);
}
