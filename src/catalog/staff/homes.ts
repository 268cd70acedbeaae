/** What staff do with homes. */
import { staffActs } from '../../api/staff-acts.ts';
import { isRefusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { instant } from '../../contract/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import type { Catalog } from '../catalog.ts';
import { findHomes } from '../find-homes.ts';
import { offerListing, withdrawListing } from '../offer-listing.ts';
import { pictureUrl } from '../pictures/names.ts';
import { readListing } from '../read-listing.ts';
import type { PublishedListing } from '../view.ts';
import { listWithdrawnListings } from '../withdrawn-listings.ts';
import { addListing, changeListing } from '../write-listing.ts';
import { homesWithText, replaceText } from '../replace-text.ts';
import { undoReplacedText } from '../undo-change.ts';
import { followed } from './followed.ts';
import { priceDraft } from './price-draft.ts';

interface HomesContext extends WithReads {
  baseUrl: string;
  /** The homes as this process knows them; it follows what an act has written. */
  catalog: Catalog;
  now: Clock;
}

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

/** Homes: listed, read, added, changed, withdrawn, offered, priced. */
export const homeActs = staffActs<HomesContext>()({
  'operator.listing.list': ({ context, query }) => {
    const { offset = 0, limit = operatorLimits.pageSize.default } = query;
    const { homes, total } = findHomes(context.catalog, query, { offset, limit });
    return { items: homes.map((home) => listedHome(home, context.baseUrl)), offset, total };
  },
  'operator.listing.get': ({ context, params, query }) =>
    readListing(context.database, params.listing, query.catalog),
  'operator.listing.add': ({ context, actor, body }) =>
    followed(context, addListing(context.database, actor.name, body)),
  'operator.listing.change': ({ context, actor, params, body, seen }) => {
    const change = { name: params.listing, seen, ...body };
    return followed(context, changeListing(context.database, actor.name, change));
  },
  'operator.listing.replaceText': async ({ context, actor, body, seen, dryRun }) => {
    const { find, replaceWith, expectedVersion: _, ...filter } = body;
    if (!(await context.catalog.followSoon())) {
      throw new DatabaseUnavailableError('the homes are still being read');
    }
    const most = operatorLimits.homesOfRates;
    const named = findHomes(context.catalog, filter, { offset: 0, limit: Infinity });
    const homes = await homesWithText(named.homes, body);
    if (homes.length > most) {
      return refuseConflict(`${homes.length} homes have this text: choose at most ${most}.`);
    }
    const slugs = homes.map(({ listing }) => listing.slug);
    const replacement = { find, replaceWith, slugs, seen, dryRun };
    const replaced = await replaceText(context.database, actor.name, replacement);
    if (!isRefusal(replaced) && !dryRun) await context.catalog.followSoon();
    return replaced;
  },
  'operator.listing.undoReplaceText': ({ context, actor, params }) =>
    followed(context, undoReplacedText(context.database, actor.name, params.replacementId)),
  'operator.listing.withdraw': ({ context, actor, params, body: { catalog } }) => {
    const place = { name: params.listing, catalog };
    return followed(context, withdrawListing(context.database, actor.name, place));
  },
  'operator.listing.offer': ({ context, actor, params, body }) => {
    const place = { name: params.listing, ...body };
    return followed(context, offerListing(context.database, actor.name, place));
  },
  'operator.listing.listWithdrawn': async ({ context, query: { catalog, ...page } }) => {
    const found = await context.reads.run((from) => listWithdrawnListings(from, catalog, page));
    if (isRefusal(found)) return found;
    const items = found.items.map((home) => ({ ...home, withdrawnAt: instant(home.withdrawnAt) }));
    return { ...found, items };
  },
  'operator.listing.price': ({ context, body }) => priceDraft(body, context.now()),
});
