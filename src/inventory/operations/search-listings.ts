import { randomUUID } from 'node:crypto';
import { cutPage } from '../../access/index.ts';
import { catalogOf, type CatalogView, completeMeta, metBy } from '../../catalog/index.ts';
import { isRefusal, refuse, type InvalidField } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { insertObservation } from '../store/search-observations.ts';
import {
  comparableParty,
  normaliseParty,
  type Party,
  type Stay,
  stayInputRefusal,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { canonicalJson } from '../../api/identity.ts';
import { after, all, type MaybePromise } from '../../api/maybe-promise.ts';
import { followIfOld, knownUntil } from '../freshness.ts';
import { decideInTime } from '../decide-with-database-time.ts';
import { read, type InventoryCall } from '../context.ts';
import { readSearchCursor, searchCursor } from '../search/cursor.ts';
import { findHomes, type FoundHome, type Wanted } from '../search/find-homes.ts';
import { pageBytes } from '../search/page-bytes.ts';
import { homeSearchOf, type HomeSearch, searchProblems } from '../search/home-search.ts';

type SearchCall = InventoryCall<'distribution.listing.search'>;

const hourMs = 3_600_000;
const zones = { behindUtcHours: 12, aheadOfUtcHours: 14 };

/** The problems that a stay has in every time zone; other problems only exclude a listing. Spec: SEARCH-12. */
function problemsEverywhere(stay: Stay, now: number): InvalidField[] {
  const earliest = todayAt(now - zones.behindUtcHours * hourMs, null);
  const wrong = stayInputRefusal(stay, earliest);
  if (wrong.length === 0) return wrong;
  const latest = todayAt(now + zones.aheadOfUtcHours * hourMs, null);
  const alsoLatest = new Set(stayInputRefusal(stay, latest).map(({ message }) => message));
  return wrong.filter(({ message }) => alsoLatest.has(message));
}

/** Removes shifts that no home allows: whether their nights are free is not known. */
const possible = (
  { shifts: [asked, ...others], ...rest }: HomeSearch,
  now: number,
): HomeSearch => ({
  ...rest,
  shifts: [asked!, ...others.filter(({ stay }) => problemsEverywhere(stay, now).length === 0)],
});

/** Records the search if consent is not required. Null: it is. Spec: SEARCH-10. */
function observe(
  { context, actor, body }: SearchCall,
  party: Party,
  results: number,
): MaybePromise<string | null> {
  if (body.consent !== 'not_required') return null;
  const observationId = randomUUID();
  return insertObservation(context.executor, {
    observationId,
    applicationId: actor.applicationId,
    journeyId: body.journeyId?.toLowerCase() ?? null,
    checkIn: body.checkIn,
    checkOut: body.checkOut,
    party,
    collectionId: body.collectionId ?? null,
    results,
  }).then(() => observationId);
}

/** The optional members that decide which homes are found, and in which order. */
function refinementOf({ body }: SearchCall): string | undefined {
  const { destination, near, amenities, bedroomsMin, maxTotal, flexDays } = body;
  const sort = body.sort === 'position' ? undefined : body.sort;
  const refinement = { destination, near, amenities, bedroomsMin, maxTotal, flexDays, sort };
  const isPlain = Object.values(refinement).every((member) => member === undefined);
  return isPlain ? undefined : canonicalJson(refinement);
}

const ownerOf = (call: SearchCall, party: Party) =>
  ({
    operation: 'distribution.listing.search',
    applicationId: call.actor.applicationId,
    filters: {
      stay: JSON.stringify({ checkIn: call.body.checkIn, checkOut: call.body.checkOut, party }),
      collectionId: call.body.collectionId,
      refinement: refinementOf(call),
    },
  }) as const;

/** A text that is the same for repeats of this call, and different for other calls. */
const pageKey = ({ body }: SearchCall, { applicationId, filters }: ReturnType<typeof ownerOf>) =>
  JSON.stringify([applicationId, filters, body.cursor, body.limit]);

/** Finds the homes of a search that are free. */
function findFree(
  { context }: SearchCall,
  view: CatalogView,
  search: HomeSearch,
  wanted: Wanted,
): ReturnType<typeof context.liveReads<FoundHome[]>> {
  const now = context.now();
  return context.liveReads((signal) => {
    const free = search.shifts.map(({ stay }) =>
      context.availability.freeHomes(view.listings, stay, signal),
    );
    return after(all(free), (homes) =>
      findHomes(search, { view, free: homes, now, signal }, wanted),
    );
  });
}

/** Spec: SEARCH-1. */
export const searchListings = read('distribution.listing.search', {
  load(call) {
    const { context, body, actor } = call;
    const stay = stayOf(body);
    const inDates = decideInTime(
      context,
      (now) => problemsEverywhere(stay, now),
      (wrong) => wrong.length > 0,
    );
    return after(inDates, (wrong) => {
      const fields = [...wrong, ...searchProblems(body)];
      if (fields.length > 0) return refuse('invalid_input', { fields });
      const asked = homeSearchOf(body, actor.application.adjustPercent);
      const search = possible(asked, context.now());
      const owner = ownerOf(call, comparableParty(normaliseParty(body.party)));
      const last = body.cursor
        ? readSearchCursor(context.executor.vault, owner, search.sort, body.cursor)
        : null;
      if (isRefusal(last)) return last;
      return after(
        followIfOld(context, limits.searchAgeSeconds),
        (tooOld) => tooOld ?? { search, owner, last },
      );
    });
  },
  reply(call, { search, owner, last }) {
    const { context, body } = call;
    // The nights are read later, so they include more.
    const asOf = knownUntil(context);
    const size = body.limit ?? limits.pageSize.default;
    // One more says whether there is another page.
    const wanted = { after: last, atMost: size + 1 };
    return after(findFree(call, catalogOf(call), search, wanted), (found) => {
      if (isRefusal(found)) return found;
      const { items, last: end } = cutPage(found, size);
      const met = (home: FoundHome) => ({ ...home, published: metBy(call.actor, home.published) });
      const results = call.actor.application.scenario ? items.map(met) : items;
      const { vault } = context.executor;
      const nextCursor = end && (() => searchCursor(vault, owner, search.sort, end));
      const page = { results, nextCursor };
      const meta = completeMeta(context, asOf);
      return after(observe(call, search.party, results.length), (searchObservationId) => ({
        status: 200 as const,
        bytes: pageBytes(vault, pageKey(call, owner), page, body, { meta, searchObservationId }),
      }));
    });
  },
});
