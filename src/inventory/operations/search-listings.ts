import { randomUUID } from 'node:crypto';
import { catalogOf, completeMeta, greatCircleKm, pageSize } from '../../catalog/index.ts';
import { isRefusal, refuse, type InvalidField } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { insertObservation } from '../store/search-observations.ts';
import {
  dateText,
  normaliseParty,
  type Party,
  type Stay,
  stayInputRefusal,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { canonicalJson } from '../../api/identity.ts';
import { followIfOld, knownUntil } from '../freshness.ts';
import { decideInTime } from '../in-time.ts';
import { read, type InventoryCall } from '../context.ts';
import { readSearchCursor, searchCursor } from '../search/cursor.ts';
import { findHomes, type FoundHome } from '../search/find-homes.ts';
import { homeSearchOf, type HomeSearch, searchProblems } from '../search/home-search.ts';

type SearchCall = InventoryCall<'distribution.listing.search'>;

const hourMs = 3_600_000;
const zones = { behindUtcHours: 12, aheadOfUtcHours: 14 };

/** The problems that a stay has in every time zone; other problems only exclude a listing. */
function problemsEverywhere(stay: Stay, now: number): InvalidField[] {
  const earliest = todayAt(now - zones.behindUtcHours * hourMs, null);
  const latest = todayAt(now + zones.aheadOfUtcHours * hourMs, null);
  const alsoLatest = new Set(stayInputRefusal(stay, latest).map(({ message }) => message));
  return stayInputRefusal(stay, earliest).filter(({ message }) => alsoLatest.has(message));
}

/** Without shifts that no home allows: nobody knows whether their nights are free. */
const possible = (
  { shifts: [asked, ...others], ...rest }: HomeSearch,
  now: number,
): HomeSearch => ({
  ...rest,
  shifts: [asked!, ...others.filter(({ stay }) => problemsEverywhere(stay, now).length === 0)],
});

/** The members of a result after the listing, as JSON. */
function restOf({ body }: SearchCall, { published, stay, total }: FoundHome): string {
  const { currency, geo } = published.listing;
  const { near } = body;
  const rest = {
    total,
    currency: total === null ? null : currency,
    ...(near && geo && { distanceKm: Math.round(greatCircleKm(near, geo) * 10) / 10 }),
    ...(body.flexDays !== undefined && {
      checkIn: dateText(stay.checkIn),
      checkOut: dateText(stay.checkOut),
    }),
  };
  return `,${JSON.stringify(rest).slice(1)}`;
}

const opening = { first: Buffer.from('{"listing":'), next: Buffer.from(',{"listing":') };

/** The JSON of a page with these results; `rest`: its other members. */
const pageBytes = (call: SearchCall, page: readonly FoundHome[], rest: object): Buffer =>
  Buffer.concat([
    Buffer.from('{"items":['),
    ...page.flatMap((found, place) => [
      place === 0 ? opening.first : opening.next,
      found.published.bytes,
      Buffer.from(restOf(call, found)),
    ]),
    Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
  ]);

/** Records the search if consent is not required. Spec: Signal rules, 5. */
async function observe(
  { context, actor, body }: SearchCall,
  party: Party,
  results: number,
): Promise<string | null> {
  if (body.consent !== 'not_required') return null;
  const observationId = randomUUID();
  await insertObservation(context.executor, {
    observationId,
    applicationId: actor.applicationId,
    journeyId: body.journeyId?.toLowerCase() ?? null,
    checkIn: body.checkIn,
    checkOut: body.checkOut,
    party,
    collectionId: body.collectionId ?? null,
    results,
  });
  return observationId;
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

/** Spec: Per-operation shapes, search; decisions, Search beyond the specification. */
export const searchListings = read('distribution.listing.search', {
  async load(call) {
    const { context, body, actor } = call;
    const stay = stayOf(body);
    const inDates = await decideInTime(
      context,
      (now) => problemsEverywhere(stay, now),
      (wrong) => wrong.length > 0,
    );
    const fields = [...inDates, ...searchProblems(body)];
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const search = possible(homeSearchOf(body, actor.application.adjustPercent), context.now());
    const owner = ownerOf(call, normaliseParty(body.party));
    const after = body.cursor
      ? readSearchCursor(context.executor.vault, owner, search.sort, body.cursor)
      : null;
    const tooOld = await followIfOld(context, limits.searchAgeSeconds);
    return tooOld ?? { search, owner, after };
  },
  async reply(call, { search, owner, after }) {
    const { context, body } = call;
    const now = context.now();
    // The nights are read later, so they include more.
    const asOf = knownUntil(context);
    const view = catalogOf(call);
    const size = pageSize(body);
    // One more says whether there is another page.
    const wanted = { after, atMost: size + 1 };
    const found = await context.liveReads(async (signal) => {
      const free = await Promise.all(
        search.shifts.map(({ stay }) =>
          context.availability.freeHomes(view.listings, stay, signal),
        ),
      );
      return findHomes(search, { view, free, now, signal }, wanted);
    });
    if (isRefusal(found)) return found;
    const page = found.slice(0, size);
    const searchObservationId = await observe(call, search.party, page.length);
    const isLast = found.length <= size;
    const rest = {
      nextCursor: isLast
        ? null
        : searchCursor(context.executor.vault, owner, search.sort, page.at(-1)!),
      meta: completeMeta(context, asOf),
      searchObservationId,
    };
    return { status: 200, bytes: pageBytes(call, page, rest) };
  },
});
