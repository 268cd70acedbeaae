import { randomUUID } from 'node:crypto';
import {
  catalogOf,
  completeMeta,
  cursorAfter,
  indexAfter,
  pageSize,
  placeAfter,
  type PublishedListing,
} from '../../catalog/index.ts';
import { isRefusal, refuse, type InvalidField } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { insertObservation } from '../store/search-observations.ts';
import {
  normaliseParty,
  type Party,
  partyRefusal,
  priceStay,
  type Stay,
  stayInputRefusal,
  stayOf,
  stayRuleRefusal,
  todayAt,
} from '../../pricing/index.ts';
import { canonicalJson } from '../../api/identity.ts';
import { followIfOld, knownUntil } from '../freshness.ts';
import { decideInTime } from '../in-time.ts';
import { read, type InventoryCall } from '../context.ts';
import { findFree } from '../find-free.ts';

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

/** Whether a quote would accept this stay and party; availability is checked later. */
function rulesAllow({ listing }: PublishedListing, stay: Stay, party: Party, now: number): boolean {
  const today = todayAt(now, listing.timeZone);
  return (
    stay.checkIn >= today &&
    partyRefusal(listing, party) === null &&
    stayRuleRefusal(listing, stay, today) === null
  );
}

function bytesOf(
  { actor }: SearchCall,
  published: PublishedListing,
  { stay, party, now }: { stay: Stay; party: Party; now: number },
): Buffer[] {
  const price = priceStay(published.listing, stay, party, {
    today: todayAt(now, published.listing.timeZone),
    adjustmentPercent: actor.application.adjustPercent,
  });
  const { total, currency } = price ?? { total: null, currency: null };
  const rest = `,"total":${total},"currency":${JSON.stringify(currency)}}`;
  return [Buffer.from('{"listing":'), published.bytes, Buffer.from(rest)];
}

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

const ownerOf = ({ actor, body }: SearchCall, party: Party) =>
  ({
    operation: 'distribution.listing.search',
    applicationId: actor.applicationId,
    filters: {
      stay: canonicalJson({ checkIn: body.checkIn, checkOut: body.checkOut, party }),
      collectionId: body.collectionId,
    },
  }) as const;

/** Spec: Per-operation shapes, search. */
export const searchListings = read('distribution.listing.search', {
  async load(call) {
    const { context, body } = call;
    const stay = stayOf(body);
    const party = normaliseParty(body.party);
    const fields = await decideInTime(
      context,
      (now) => problemsEverywhere(stay, now),
      (wrong) => wrong.length > 0,
    );
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const owner = ownerOf(call, party);
    const after = placeAfter(context.executor.vault, owner, body.cursor || undefined, '/cursor');
    const tooOld = await followIfOld(context, limits.searchAgeSeconds);
    return tooOld ?? { stay, party, owner, after };
  },
  async reply(call, { stay, party, owner, after }) {
    const { context, body } = call;
    const now = context.now();
    // The nights are read later, so they include more.
    const asOf = knownUntil(context);
    const listings = catalogOf(call).within(body.collectionId);
    const size = pageSize(body);
    const found = await context.liveReads(async (signal) =>
      findFree(listings, {
        from: indexAfter(listings, after),
        // One more says whether there is another page.
        atMost: size + 1,
        allows: (published) => rulesAllow(published, stay, party, now),
        free: await context.availability.freeHomes(listings, stay, signal),
        signal,
      }),
    );
    if (isRefusal(found)) return found;
    const page = found.slice(0, size);
    const lastPlace = found.length > size ? page.at(-1)!.place : null;
    const searchObservationId = await observe(call, party, page.length);
    const rest = {
      nextCursor: cursorAfter(context.executor.vault, owner, lastPlace),
      meta: completeMeta(context, asOf),
      searchObservationId,
    };
    const items = page.flatMap((published, place) => [
      Buffer.from(place === 0 ? '' : ','),
      ...bytesOf(call, published, { stay, party, now }),
    ]);
    const bytes = Buffer.concat([
      Buffer.from('{"items":['),
      ...items,
      Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
    ]);
    return { status: 200, bytes };
  },
});
