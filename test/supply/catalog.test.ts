/** The simulated catalog: what it promises to those who try the service for the first time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Listing, Season } from '../../src/domain/listing.ts';
import { simulatedCatalog } from '../../src/supply/simulation/catalog/index.ts';
import { bedCapacity, bedroomTypes } from '../../src/supply/simulation/catalog/spaces.ts';

const catalog = simulatedCatalog();
const { site, collections, listings, promotions } = catalog;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const monthDay = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function assertUnique(values: readonly string[], what: string): void {
  const again = values.filter((value, at) => values.indexOf(value) !== at);
  assert.deepEqual(again, [], what);
}

function slugsOf(test: (listing: Listing) => boolean): string[] {
  return listings.filter(test).map(({ slug }) => slug);
}

function capacityOf({ spaces }: Listing): number {
  const capacities: Record<string, number> = bedCapacity;
  return spaces
    .flatMap(({ beds }) => beds)
    .reduce((sum, { type, quantity }) => sum + (capacities[type] ?? Number.NaN) * quantity, 0);
}

function paragraphsOf({ description }: Listing): string[] {
  return description === null ? [] : description.split('\n\n');
}

const runsOverNewYear = ({ from, to }: Season) => from > to;

/** Whether two adults can begin three nights on any weekday, in any season, with a week's notice. */
function isEasy({ stayRules, rates, sleeps }: Listing): boolean {
  const least = [stayRules.minNights, ...rates.seasons.map(({ minNights }) => minNights ?? 1)];
  return (
    Math.max(...least) <= 3 &&
    stayRules.maxNights >= 3 &&
    stayRules.arrivalDays.length === 7 &&
    stayRules.departureDays.length === 7 &&
    stayRules.advanceNoticeDays <= 7 &&
    (sleeps ?? 2) >= 2
  );
}

describe('the simulated catalog', () => {
  it('is the same every time, and the caller’s own', () => {
    const again = simulatedCatalog();
    assert.deepEqual(again, catalog);
    again.listings[0]!.rates.seasons.length = 0;
    again.listings.length = 0;
    assert.equal(simulatedCatalog().listings.length, 120);
    assert.deepEqual(simulatedCatalog(), catalog);
  });

  it('keeps its identities', () => {
    assert.equal(collections[0]?.collectionId, '06fcbeb7-8b35-8ad6-9e9d-7f329b978845');
    assert.equal(listings[0]?.slug, 'casa-da-mare-baixa');
    assert.equal(listings[0]?.listingId, '9f827cef-b8df-83ca-81fd-084061d80aa0');
  });

  it('has 120 homes in 6 collections of 20', () => {
    assert.equal(collections.length, 6);
    assert.equal(listings.length, 120);
    for (const { collectionId } of collections) {
      assert.equal(slugsOf((listing) => listing.collectionId === collectionId).length, 20);
    }
    assert.deepEqual(
      collections.map(({ position }) => position),
      [0, 1, 2, 3, 4, 5],
    );
  });

  it('names everything once', () => {
    const ids = [
      ...collections.map((one) => one.collectionId),
      ...listings.map((one) => one.listingId),
    ];
    assertUnique(ids, 'identities');
    for (const id of ids) assert.match(id, uuid);
    assertUnique(
      [...collections, ...listings].map(({ slug }) => slug),
      'slugs',
    );
    assertUnique(
      [...collections, ...listings].map(({ name }) => name),
      'names',
    );
    for (const { slug } of listings) assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('says nothing twice', () => {
    assertUnique(listings.flatMap(paragraphsOf), 'paragraphs');
    assertUnique(
      listings.flatMap(({ blurb }) => blurb ?? []),
      'blurbs',
    );
    const ruleTexts = listings.flatMap(({ policies }) =>
      policies.filter(({ label }) => label === 'House rules').map(({ body }) => body),
    );
    assertUnique(ruleTexts, 'house rules');
    assert.equal(ruleTexts.length, 120);
  });

  it('describes homes in two or three paragraphs', () => {
    for (const listing of listings.filter(({ description }) => description !== null)) {
      const paragraphs = paragraphsOf(listing);
      assert.ok(paragraphs.length >= 2 && paragraphs.length <= 3, listing.slug);
      const words = paragraphs.join(' ').split(/\s+/).length;
      assert.ok(words >= 50, `${listing.slug}: ${words} words`);
    }
  });

  it('tells guests when to come, how to behave, what it costs and how to cancel', () => {
    for (const { slug, policies } of listings) {
      const labels = policies.map(({ label }) => label);
      for (const label of [
        'Check-in and check-out',
        'House rules',
        'Pets',
        'Payment',
        'Cancellation',
      ]) {
        assert.ok(labels.includes(label), `${slug}: ${label}`);
      }
      assertUnique(labels, slug);
      for (const { body } of policies) assert.ok(body.length > 15, slug);
    }
  });

  it('shows four to seven pictures of each home, with texts of their own', () => {
    for (const { slug, pictures } of listings) {
      assert.ok(pictures.length >= 4 && pictures.length <= 7, slug);
      pictures.forEach(({ path, alt }, at) => {
        assert.equal(path, `/pictures/${slug}/${at + 1}.svg`);
        assert.ok(alt.length >= 20 && alt.length <= 140, `${path}: ${alt}`);
      });
      assertUnique(
        pictures.map(({ alt }) => alt),
        slug,
      );
    }
  });

  it('has a bed for everyone, and rooms that agree with their number', () => {
    for (const listing of listings) {
      const { slug, sleeps, bedrooms, bathrooms, spaces, amenities } = listing;
      const capacity = capacityOf(listing);
      const wanted = sleeps ?? capacity;
      assert.ok(capacity >= wanted && capacity <= wanted + 2, `${slug}: ${capacity} for ${sleeps}`);
      const rooms = spaces.filter(({ type }) => bedroomTypes.includes(type));
      if (bedrooms !== null) assert.equal(bedrooms, rooms.length, slug);
      for (const { beds } of rooms) assert.ok(beds.length > 0, slug);
      if (bathrooms !== null) assert.ok(bathrooms >= 1 && bathrooms <= 6, slug);
      assert.ok(amenities.length >= 4, slug);
      assertUnique(amenities, slug);
    }
    assert.ok(slugsOf(({ bathrooms }) => bathrooms !== null && bathrooms % 1 === 0.5).length > 10);
  });

  it('is somewhere', () => {
    for (const { slug, geo } of listings) {
      if (geo === null) continue;
      assert.ok(Math.abs(geo.latitude) > 20 && Math.abs(geo.latitude) < 62, slug);
      assert.ok(Math.abs(geo.longitude) <= 180, slug);
    }
    const places = listings.flatMap(({ geo }) => (geo ? [`${geo.latitude} ${geo.longitude}`] : []));
    assertUnique(places, 'places');
  });

  it('keeps the homes of a collection together on the globe', () => {
    for (const { collectionId, slug } of collections) {
      const places = listings.flatMap(
        (one) => (one.collectionId === collectionId && one.geo) || [],
      );
      const latitudes = places.map(({ latitude }) => latitude);
      assert.ok(Math.max(...latitudes) - Math.min(...latitudes) < 10, slug);
    }
  });

  it('uses time zones that there are, several of them', () => {
    const zones = new Set(listings.flatMap(({ timeZone }) => timeZone ?? []));
    assert.ok(zones.size >= 10, [...zones].join());
    for (const timeZone of zones) assert.ok(Intl.DateTimeFormat('en', { timeZone }));
  });

  it('uses currencies with and without minor digits', () => {
    const currencies = new Set(listings.map(({ rates }) => rates.currency));
    assert.deepEqual([...currencies].toSorted(), ['CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD', 'ZAR']);
    const known = Intl.supportedValuesOf('currency');
    for (const currency of currencies) assert.ok(known.includes(currency), currency);
    const yen = listings.find(({ rates }) => rates.currency === 'JPY');
    assert.equal(yen?.rates.weekdayNight, 38_000);
  });

  it('asks prices that a person would pay', () => {
    const perDollar: Record<string, number> = {
      USD: 100,
      CAD: 137,
      EUR: 90,
      CHF: 88,
      GBP: 78,
      JPY: 150,
      ZAR: 1800,
    };
    for (const { slug, rates } of listings) {
      const unit = perDollar[rates.currency] ?? Number.NaN;
      assert.ok(rates.weekdayNight / unit > 60 && rates.weekdayNight / unit < 1300, slug);
      assert.ok(rates.weekendNight >= rates.weekdayNight, slug);
      for (const { amount } of rates.fees) assert.ok(Number.isInteger(amount) && amount > 0, slug);
    }
  });

  it('varies seasons, discounts, fees, taxes and payment plans', () => {
    const all = listings.map(({ rates }) => rates);
    for (const { seasons } of all) {
      for (const { from, to, priceChange } of seasons) {
        assert.match(from, monthDay);
        assert.match(to, monthDay);
        assert.ok(Number.isInteger(priceChange) && priceChange > -6000 && priceChange < 15_000);
      }
    }
    assert.ok(all.filter(({ seasons }) => seasons.some(runsOverNewYear)).length > 60);
    assert.ok(all.filter(({ lengthDiscounts }) => lengthDiscounts.length > 1).length > 10);
    assert.ok(all.filter(({ lengthDiscounts }) => lengthDiscounts.length === 0).length > 2);
    const per = new Set(all.flatMap(({ fees }) => fees.map((fee) => fee.per)));
    assert.deepEqual([...per].toSorted(), [
      'guest',
      'guest_night',
      'night',
      'pet',
      'pet_night',
      'stay',
    ]);
    for (const { fees } of all)
      assert.equal(fees.filter(({ kind }) => kind === 'cleaning').length, 1);
    const bases = new Set(all.flatMap(({ taxes }) => taxes.map(({ basis }) => basis)));
    assert.deepEqual([...bases].toSorted(), [
      'accommodation',
      'accommodation_and_fees',
      'guest_night',
    ]);
    const plans = new Set(all.map(({ paymentPlan }) => paymentPlan.dueNow));
    assert.deepEqual([...plans].toSorted(), [10_000, 3000, 5000]);
  });

  it('varies the terms of cancellation, the latest day last', () => {
    const kinds = new Set(listings.map(({ cancellation }) => JSON.stringify(cancellation)));
    assert.ok(kinds.size >= 5);
    for (const { cancellation } of listings) {
      const days = cancellation.map(({ daysBefore }) => daysBefore);
      assert.deepEqual(
        days,
        days.toSorted((one, other) => other - one),
      );
    }
  });

  it('varies who may stay', () => {
    assert.ok(slugsOf(({ partyRules }) => partyRules.maxPets === 0).length > 40);
    assert.ok(slugsOf(({ partyRules }) => partyRules.maxPets > 1).length > 10);
    assert.ok(slugsOf(({ partyRules }) => !partyRules.children).length > 5);
    assert.ok(slugsOf(({ partyRules }) => !partyRules.infants && partyRules.children).length > 5);
    assert.ok(slugsOf(({ partyRules }) => partyRules.infants && !partyRules.children).length > 0);
  });

  it('charges for pets only where there may be some', () => {
    for (const { slug, rates, partyRules } of listings) {
      const charges = rates.fees.some(({ per }) => per === 'pet' || per === 'pet_night');
      if (charges) assert.ok(partyRules.maxPets > 0, slug);
    }
  });

  it('leaves out what may be left out, a few times', () => {
    assert.deepEqual(
      slugsOf(({ sleeps }) => sleeps === null),
      ['cederberg-kliphuis'],
    );
    assert.deepEqual(
      slugsOf(({ timeZone }) => timeZone === null),
      ['karoo-courtyard-prince-albert'],
    );
    assert.equal(slugsOf(({ indexable }) => !indexable).length, 2);
    assert.equal(slugsOf(({ collectionId }) => collectionId === null).length, 0);
    for (const part of [
      'description',
      'blurb',
      'geo',
      'destination',
      'bedrooms',
      'bathrooms',
    ] as const) {
      const without = slugsOf((listing) => listing[part] === null).length;
      assert.ok(without >= 1 && without <= 4, part);
    }
    const spaces = listings.flatMap((listing) => listing.spaces);
    assert.ok(spaces.some(({ name }) => name === null));
    assert.ok(spaces.some(({ isPrivate }) => isPrivate === null));
  });

  it('lets a first try succeed: two adults, three nights, any weekday', () => {
    assert.ok(listings.filter(isEasy).length >= 100);
  });

  it('has a few homes with days of change and long least stays', () => {
    const saturdays = slugsOf(({ stayRules }) => stayRules.arrivalDays.join() === '6');
    assert.ok(saturdays.length >= 3 && saturdays.length <= 8, saturdays.join());
    assert.ok(
      slugsOf(({ rates }) => rates.seasons.some(({ minNights }) => minNights === 7)).length > 1,
    );
    for (const { slug, stayRules } of listings) {
      const { minNights, maxNights, arrivalDays, advanceNoticeDays } = stayRules;
      assert.ok(minNights >= 1 && minNights <= 7 && maxNights >= 28 && maxNights <= 90, slug);
      assert.ok(arrivalDays.length > 0 && advanceNoticeDays <= 2, slug);
    }
  });

  it('has a brand with policies and standards', () => {
    assert.equal(site.slug, 'alder-and-tarn');
    for (const texts of [site.policies, site.standards]) {
      assert.ok(texts.length >= 4);
      assertUnique(
        texts.map(({ label }) => label),
        'labels',
      );
      for (const { body } of texts) assert.ok(body.length > 60);
    }
  });

  it('has a promotion for every kind of limit', () => {
    const codes = Object.fromEntries(promotions.map((promotion) => [promotion.code, promotion]));
    assert.deepEqual(Object.keys(codes).toSorted(), [
      'ENDED2020',
      'FIFTYOFF',
      'FIRST100',
      'LONGSTAY',
      'SLOWSEA15',
      'WELCOME10',
    ]);
    assert.equal(codes['WELCOME10']?.off, 1000);
    assert.deepEqual(codes['SLOWSEA15']?.collectionIds, [collections[0]?.collectionId]);
    assert.equal(codes['FIFTYOFF']?.kind, 'amount');
    assert.equal(codes['FIFTYOFF']?.currency, 'USD');
    assert.equal(codes['LONGSTAY']?.minNights, 7);
    assert.equal(codes['ENDED2020']?.bookTo, '2020-12-31');
    assert.equal(codes['FIRST100']?.maxUses, 100);
    for (const { kind, currency } of promotions) assert.equal(currency !== null, kind === 'amount');
  });
});
