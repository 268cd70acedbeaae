/** Search and calendar of the operator's homes, whole and in pages. */
import { isDeepStrictEqual } from 'node:util';
import type { ReplyOf } from '../../src/contract/partner/operations.ts';
import type { Calendar } from '../../src/contract/partner/schemas/search.ts';
import type { Meta } from '../../src/contract/partner/schemas/primitives.ts';
import { Difference } from './difference.ts';
import {
  calendarDays,
  calendarOf,
  datesOf,
  dateAt,
  isSold,
  searched,
  stayWords,
  type HomeName,
  type SearchMembers,
} from './homes.ts';
import type { Kind } from './kind.ts';
import { isOverQuota, overQuota, refusedEarly, shown } from './reply-summary.ts';
import type { SessionClients } from './session-clients.ts';
import type { AccountName, StayName, World } from './world.ts';

/** Reads the calendar of a home. */
export interface CalendarCall {
  does: 'calendar';
  by: AccountName;
  home: HomeName;
}

export type SearchPage = ReplyOf<'distribution.listing.search'>['body'];

/** The parts of a result that the model compares. */
export const resultsOf = ({ operator }: SessionClients, items: SearchPage['items']): object[] =>
  items.map(({ listing, ...rest }) => ({
    home: operator.homeOf(listing.listingId) ?? listing.listingId,
    ...rest,
  }));

// The clocks of service and test are the same.
const toleranceMs = 1_000;

/** Throws unless a result is complete and as recent as its `meta` and the specification say. */
export function checkMeta(meta: Meta, atMostSeconds: number): void {
  const ageMs = Date.now() - Date.parse(meta.asOf ?? '');
  const isRecent = ageMs > -toleranceMs && ageMs < atMostSeconds * 1_000;
  const isRight =
    meta.completeness === 'complete' && meta.definitionVersion === 'latchkey-inventory/1';
  if (!isRecent || !isRight) throw new Difference(`the meta ${JSON.stringify(meta)}`);
}

export const searchAgeSeconds = 60;
const calendarAgeSeconds = 120;

export const calendarKind: Kind<CalendarCall> = {
  operation: 'inventory.calendar.get',
  tier: 'search',
  predict(world, { by, home }) {
    const account = world.accounts[by];
    const inventory = world.inventory!;
    if (!isSold(inventory, by, home)) return refusedEarly(account, 'search', '404 not_found');
    if (isOverQuota(account, 'search')) return overQuota;
    return shown(200, { home, days: calendarOf(inventory, home) });
  },
  input: ({ operator }, { home }) => ({
    params: { listingId: operator.listingId(home) },
    query: { startDate: dateAt(0), endDate: dateAt(calendarDays - 1) },
  }),
  shows({ operator }, _, { body }) {
    const { listingId, days, meta } = body as Calendar;
    checkMeta(meta, calendarAgeSeconds);
    // Quotes check the prices; a calendar shows those of single nights.
    const shownDays = days.map(({ price: _price, ...day }) => day);
    return { home: operator.homeOf(listingId), days: shownDays };
  },
};

/** Searches page by page; throws if a home is missing, repeated or different. */
export async function pageSearch(
  sessionClients: SessionClients,
  worlds: readonly World[],
  by: AccountName,
  stay: StayName,
  limit: number,
  members: SearchMembers,
): Promise<void> {
  const asked = Object.entries(members).filter(([, member]) => member !== null);
  const search = { ...datesOf(stayWords(stay)), ...Object.fromEntries(asked) };
  const found: object[] = [];
  for (let cursor: string | null = null; ;) {
    const body = { ...search, limit, ...(cursor !== null && { cursor }) };
    const page: SearchPage = await sessionClients.partners[by].succeed(
      'distribution.listing.search',
      { body },
    );
    checkMeta(page.meta, searchAgeSeconds);
    if (page.items.length > limit) throw new Difference(`a page of ${page.items.length}`);
    found.push(...resultsOf(sessionClients, page.items));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const expected = worlds.map(({ inventory }) =>
    searched(inventory!, by, stayWords(stay), members),
  );
  if (expected.some((one) => isDeepStrictEqual(one, found))) return;
  const texts = [found, ...expected].map((one) => JSON.stringify(one));
  throw new Difference(
    `${by} finds for ${stay} ${JSON.stringify(members)}\n  ${texts.join('\nand not\n  ')}`,
  );
}
