import { instant } from '../../contract/time.ts';
import {
  addListing,
  changeListing,
  checkedListing,
  findHomes,
  importRates,
  listWithdrawnListings,
  offerListing,
  pictureUrl,
  type PublishedListing,
  readListing,
  setRates,
  withdrawListing,
} from '../../catalog/index.ts';
import { reasonMessages, refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import {
  brokenPartyRules,
  brokenStayRules,
  dayNumber,
  nightsOf,
  normaliseParty,
  priceStay,
  todayAt,
} from '../../pricing/index.ts';
import { csvProblems } from '../file-problems.ts';
import { act } from '../kinds.ts';

const listedHome = ({ listing }: PublishedListing, baseUrl: string) => {
  const [first] = listing.images;
  return {
    listingId: listing.listingId,
    slug: listing.slug,
    name: listing.name,
    destination: listing.destination,
    sleeps: listing.sleeps,
    bedrooms: listing.bedrooms,
    currency: listing.currency,
    nightly: listing.rates.nightly ?? null,
    pictures: listing.images.length,
    picture: first ? pictureUrl(first, baseUrl) : null,
  };
};

/** Lists homes that catalogs sell. */
export const listListings = act('operator.listing.list', {
  reply({ context, query }) {
    const { offset = 0, limit = operatorLimits.pageSize.default } = query;
    const { homes, total } = findHomes(context.catalog, query, { offset, limit });
    const items = homes.map((home) => listedHome(home, context.baseUrl));
    return { status: 200, body: { items, offset, total } };
  },
});

/** Reads a home with everything about it. */
export const getListing = act('operator.listing.get', {
  async reply({ context, params, query }) {
    const body = await readListing(context.database, params.listing, query.catalog);
    return { status: 200, body };
  },
});

/** Adds a home. */
export const addHome = act('operator.listing.add', {
  async reply({ context, actor, body }) {
    const added = await addListing(context.database, actor.name, body);
    await context.catalog.follow();
    return { status: 201, body: added };
  },
});

/** Replaces everything about a home. */
export const changeHome = act('operator.listing.change', {
  async reply({ context, actor, params, body: { catalog, listing }, seen }) {
    const change = { name: params.listing, seen, catalog, listing };
    const changed = await changeListing(context.database, actor.name, change);
    await context.catalog.follow();
    return { status: 200, body: changed };
  },
});

/** Withdraws a home from sale. */
export const withdrawHome = act('operator.listing.withdraw', {
  async reply({ context, actor, params, body }) {
    const place = { name: params.listing, catalog: body.catalog };
    const withdrawn = await withdrawListing(context.database, actor.name, place);
    await context.catalog.follow();
    return { status: 200, body: withdrawn };
  },
});

/** Lists homes that a catalog no longer sells. */
export const listWithdrawnHomes = act('operator.listing.listWithdrawn', {
  async reply({ context, query: { catalog: named, ...page } }) {
    const { items, nextCursor } = await context.reads.run((from) =>
      listWithdrawnListings(from, named, page),
    );
    const shown = items.map((home) => ({ ...home, withdrawnAt: instant(home.withdrawnAt) }));
    return { status: 200, body: { items: shown, nextCursor } };
  },
});

/** Sells a home in a catalog. */
export const offerHome = act('operator.listing.offer', {
  async reply({ context, actor, params, body }) {
    const place = {
      name: params.listing,
      catalog: body.catalog,
      collection: body.collection,
    };
    const offered = await offerListing(context.database, actor.name, place);
    await context.catalog.follow();
    return { status: 200, body: offered };
  },
});

const messages: Readonly<Record<string, string>> = reasonMessages.policy_restricted;

const invalid = (path: string, message: string) =>
  refuse('invalid_input', { fields: [{ path, message }] });

/** Prices a stay at a home that need not be stored. */
export const priceDraft = act('operator.listing.price', {
  reply({ context, body }) {
    const { adjustPercent = 0 } = body;
    const stay = { checkIn: dayNumber(body.checkIn), checkOut: dayNumber(body.checkOut) };
    const nights = nightsOf(stay);
    if (nights < limits.nightsPerStay.min || nights > limits.nightsPerStay.max) {
      const message = `must be 1 to ${limits.nightsPerStay.max} nights after checkIn`;
      return invalid('/checkOut', message);
    }
    const { listingId: _, ...listing } = checkedListing(body.listing);
    const party = normaliseParty(body.party);
    const today = todayAt(context.now(), listing.timeZone);
    const rules = [
      ...brokenPartyRules(listing, party),
      ...brokenStayRules(listing, stay, context.now(), () => false),
    ];
    const charges = priceStay(listing, stay, party, { today, adjustmentPercent: adjustPercent });
    const broken = rules.map((rule) => ({ rule, message: messages[rule] ?? rule }));
    return { status: 200, body: { charges, broken } };
  },
});

/** Sets prices and minimum nights of dates. */
export const setRatesOfDates = act('operator.rate.set', {
  async reply({ context, actor, body }) {
    const { from, to, nightly, minNights } = body;
    if (to < from) return invalid('/to', 'must not be before from');
    if (nightly === undefined && minNights === undefined) {
      return invalid('', 'needs nightly or minNights');
    }
    const changed = await setRates(context.database, actor.name, body);
    await context.catalog.follow();
    return { status: 200, body: changed };
  },
});

/** Imports prices of dates. */
export const importRatesFile = act('operator.rate.import', {
  async reply({ context, actor, body: { file, dryRun = false } }) {
    const options = { actor: actor.name, dryRun, mostLines: operatorLimits.csvLines };
    const result = await importRates(context.database, Buffer.from(file), options);
    if ('problems' in result) return csvProblems(result.problems);
    await context.catalog.follow();
    const { listings, unchanged, changes } = result;
    const added = changes.filter(({ before }) => before === null).length;
    return {
      status: 200,
      body: {
        dryRun,
        listings,
        added,
        changed: changes.length - added,
        unchanged,
        changes: changes.slice(0, operatorLimits.describedChanges),
      },
    };
  },
});
