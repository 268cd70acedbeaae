/** The simulated catalog: what it promises to those who try the service for the first time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Listing, Season } from '../../src/pricing/rules/listing.ts';
import { acceptedPolicies } from '../../src/pricing/rules/cancellation-text.ts';
import { openNights } from '../../src/simulation/pattern.ts';
import { isShortForm } from '../../src/pricing/rules/cancellation.ts';
import { noticeOf, stayRuleRefusal } from '../../src/pricing/rules/stay.ts';
import { kindsIn } from '../harness/rule-kinds.ts';
import { simulatedCatalog, simulatedHomes } from '../../src/build/simulated-catalog.ts';
import { uuidV8 } from '../harness/uuids.ts';

const catalog = simulatedCatalog();
const { catalog: site, listings, promotions } = catalog;
const { collections = [], policies: sitePolicies = [], standards = [] } = site;

/** How many people each kind of bed sleeps. */
const bedCapacity: Readonly<Record<string, number>> = {
  king: 2,
  queen: 2,
  double: 2,
  single: 1,
  bunk: 2,
  sofa_bed: 2,
  daybed: 1,
  futon: 1,
};

/** The kinds of space that count as bedrooms. */
const bedroomTypes: ReadonlySet<string> = new Set(['bedroom', 'bunk_room', 'tatami_room']);

const monthDay = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function assertUnique(values: readonly string[], what: string): void {
  const again = values.filter((value, at) => values.indexOf(value) !== at);
  assert.deepEqual(again, [], what);
}

function slugsOf(test: (listing: Listing) => boolean): string[] {
  return listings.filter(test).map(({ slug }) => slug);
}

function capacityOf({ spaces }: Listing): number {
  return spaces
    .flatMap(({ beds }) => beds)
    .reduce((sum, { type, quantity }) => sum + (bedCapacity[type] ?? Number.NaN) * quantity, 0);
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
    noticeOf(stayRules).days <= 7 &&
    (sleeps ?? 2) >= 2
  );
}

describe('the simulated catalog', () => {
  it('has stable IDs', () => {
    assert.equal(collections[0]?.collectionId, '06fcbeb7-8b35-8ad6-9e9d-7f329b978845');
    assert.equal(listings[0]?.slug, 'casa-da-mare-baixa');
    assert.equal(listings[0]?.listingId, '9f827cef-b8df-83ca-81fd-084061d80aa0');
  });

  // Spec: SIMULATION-3.
  it('has 120 homes in 6 collections of 20', () => {
    assert.equal(collections.length, 6);
    assert.equal(listings.length, 120);
    for (const { collectionId } of collections) {
      assert.equal(slugsOf((listing) => listing.collectionId === collectionId).length, 20);
    }
  });

  it('has unique names', () => {
    const ids = [
      ...collections.map((one) => one.collectionId!),
      ...listings.map((one) => one.listingId),
    ];
    assertUnique(ids, 'identities');
    for (const id of ids) assert.match(id, uuidV8);
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

  it('has unique texts', () => {
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

  it('has policies on arrival, house rules, costs and cancellation', () => {
    for (const listing of listings) {
      const { slug } = listing;
      const policies = acceptedPolicies(listing);
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

  it('has four to seven pictures per home, each with its own alternative text', () => {
    for (const { slug, images } of listings) {
      assert.ok(images.length >= 4 && images.length <= 7, slug);
      images.forEach((image, at) => {
        const { alt } = image;
        assert.ok('file' in image);
        assert.equal(image.file, `pictures/${slug}/${at + 1}.svg`);
        assert.ok(alt.length >= 20 && alt.length <= 140, `${image.file}: ${alt}`);
      });
      assertUnique(
        images.map(({ alt }) => alt),
        slug,
      );
    }
  });

  it('has enough beds, and as many bedrooms as stated', () => {
    for (const listing of listings) {
      const { slug, sleeps, bedrooms, bathrooms, spaces, amenities } = listing;
      const capacity = capacityOf(listing);
      const wanted = sleeps ?? capacity;
      assert.ok(capacity >= wanted && capacity <= wanted + 2, `${slug}: ${capacity} for ${sleeps}`);
      const rooms = spaces.filter(({ type }) => bedroomTypes.has(type));
      if (bedrooms !== null) assert.equal(bedrooms, rooms.length, slug);
      for (const { beds } of rooms) assert.ok(beds.length > 0, slug);
      if (bathrooms !== null) assert.ok(bathrooms >= 1 && bathrooms <= 6, slug);
      assert.ok(amenities.length >= 4, slug);
      assertUnique(amenities, slug);
    }
    assert.ok(slugsOf(({ bathrooms }) => bathrooms !== null && bathrooms % 1 === 0.5).length > 10);
  });

  it('has valid coordinates, different for each home', () => {
    for (const { slug, geo } of listings) {
      if (geo === null) continue;
      assert.ok(Math.abs(geo.latitude) > 20 && Math.abs(geo.latitude) < 62, slug);
      assert.ok(Math.abs(geo.longitude) <= 180, slug);
    }
    const places = listings.flatMap(({ geo }) => (geo ? [`${geo.latitude} ${geo.longitude}`] : []));
    assertUnique(places, 'places');
  });

  it('has the homes of a collection in one region', () => {
    for (const { collectionId, slug } of collections) {
      const places = listings.flatMap(
        (one) => (one.collectionId === collectionId && one.geo) || [],
      );
      const latitudes = places.map(({ latitude }) => latitude);
      assert.ok(Math.max(...latitudes) - Math.min(...latitudes) < 10, slug);
    }
  });

  it('uses several valid time zones', () => {
    const zones = new Set(listings.flatMap(({ timeZone }) => timeZone ?? []));
    assert.ok(zones.size >= 10, [...zones].join());
    for (const timeZone of zones) assert.ok(Intl.DateTimeFormat('en', { timeZone }));
  });

  it('uses currencies with and without minor digits', () => {
    const currencies = new Set(listings.map(({ currency }) => currency));
    assert.deepEqual([...currencies].toSorted(), ['CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD', 'ZAR']);
    const known = Intl.supportedValuesOf('currency');
    for (const currency of currencies) assert.ok(known.includes(currency), currency);
    const yen = listings.find(({ currency }) => currency === 'JPY');
    assert.equal(yen?.rates.nightly, 38_000);
  });

  it('has realistic prices', () => {
    const perDollar: Record<string, number> = {
      USD: 100,
      CAD: 137,
      EUR: 90,
      CHF: 88,
      GBP: 78,
      JPY: 150,
      ZAR: 1800,
    };
    for (const { slug, currency, rates, fees } of listings) {
      const unit = perDollar[currency] ?? Number.NaN;
      const nightly = rates.nightly ?? Number.NaN;
      assert.ok(nightly / unit > 60 && nightly / unit < 1300, slug);
      for (const price of Object.values(rates.weekdays)) assert.ok(price >= nightly, slug);
      for (const { amount, percent = 0 } of fees) {
        assert.ok(percent > 0 || (Number.isInteger(amount) && amount! > 0), slug);
      }
    }
  });

  it('varies seasons, discounts, fees, taxes and payment plans', () => {
    const all = listings.map(({ rates }) => rates);
    for (const { seasons } of all) {
      for (const { from, to, changePercent = 0 } of seasons) {
        assert.match(from, monthDay);
        assert.match(to, monthDay);
        assert.ok(changePercent > -60 && changePercent < 150);
      }
    }
    assert.ok(all.filter(({ seasons }) => seasons.some(runsOverNewYear)).length > 60);
    assert.ok(all.filter(({ lengthDiscounts }) => lengthDiscounts.length > 1).length > 10);
    assert.ok(all.filter(({ lengthDiscounts }) => lengthDiscounts.length === 0).length > 2);
    assert.ok(all.some(({ dates }) => dates.length > 0));
    assert.ok(all.some(({ seasons }) => seasons.some(({ nightly }) => nightly !== undefined)));
    const fees = listings.flatMap((listing) => listing.fees);
    const per = new Set(fees.flatMap((fee) => fee.per ?? []));
    assert.deepEqual([...per].toSorted(), [
      'guest',
      'guest_night',
      'night',
      'pet',
      'pet_night',
      'stay',
    ]);
    assert.ok(fees.some(({ fromGuest }) => fromGuest !== undefined));
    assert.ok(fees.some(({ taxed }) => taxed === false));
    for (const { slug, fees: own } of listings)
      assert.equal(own.filter(({ kind }) => kind === 'cleaning').length, 1, slug);
    const taxes = listings.flatMap((listing) => listing.taxes);
    const plain = taxes.filter(({ who, included, payAt }) => !who && !included && !payAt);
    const bases = new Set(plain.map((tax) => tax.on?.join() ?? tax.per));
    assert.deepEqual([...bases].toSorted(), [
      'accommodation',
      'accommodation,cleaning,fees',
      'guest_night',
    ]);
    assert.ok(taxes.some(({ staysUpToNights }) => staysUpToNights !== undefined));
    assert.ok(taxes.some((tax) => 'per' in tax && tax.adultsOnly && tax.maxNights === 7));
    const plans = new Set(
      listings.flatMap(({ payment }) => (payment.schedule ? [] : [payment.dueNowPercent])),
    );
    assert.deepEqual([...plans].toSorted(), [100, 30, 50]);
  });

  it('has ten kinds of further rules and more, so that partners meet them', () => {
    const kinds = kindsIn(simulatedHomes());
    assert.ok(kinds.length >= 15, kinds.join(', '));
  });

  it('varies the cancellation terms, sorted by day', () => {
    const kinds = new Set(listings.map(({ cancellation }) => JSON.stringify(cancellation)));
    assert.ok(kinds.size >= 5);
    for (const { cancellation } of listings) {
      const days = cancellation.filter(isShortForm).map(({ daysBefore }) => daysBefore);
      assert.deepEqual(
        days,
        days.toSorted((one, other) => other - one),
      );
    }
  });

  it('varies the party rules', () => {
    assert.ok(slugsOf(({ party }) => party.maxPets === 0).length > 40);
    assert.ok(slugsOf(({ party }) => party.maxPets > 1).length > 10);
    assert.ok(slugsOf(({ party }) => !party.children).length > 5);
    assert.ok(slugsOf(({ party }) => !party.infants && party.children).length > 5);
    assert.ok(slugsOf(({ party }) => party.infants && !party.children).length > 0);
  });

  it('charges for pets only if pets are allowed', () => {
    for (const { slug, fees, party } of listings) {
      const charges = fees.some(({ per }) => per === 'pet' || per === 'pet_night');
      if (charges) assert.ok(party.maxPets > 0, slug);
    }
  });

  it('has null for each optional member in a few homes', () => {
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

  it('has free homes for a simple search: two adults, three nights, any weekday', () => {
    assert.ok(listings.filter(isEasy).length >= 100);
  });

  it('has stays of 1 to 90 nights somewhere, within a year', () => {
    const today = 20_819;
    const noon = (today + 0.5) * 86_400_000;
    const sold = listings.map((listing) => ({
      listing,
      nights: openNights(listing.listingId, today, 500).join(''),
    }));
    for (let nights = 1; nights <= 90; nights += 1) {
      const found = sold.some(({ listing, nights: open }) =>
        Array.from({ length: 365 }, (_, ahead) => ahead).some((ahead) => {
          const stay = { checkIn: today + ahead, checkOut: today + ahead + nights };
          const isFree = !open.slice(ahead, ahead + nights).includes('0');
          return isFree && stayRuleRefusal(listing, stay, noon, () => false) === null;
        }),
      );
      assert.ok(found, `no stay of ${nights} nights`);
    }
  });

  it('has no discount for stays longer than the maximum', () => {
    for (const { slug, rates, stayRules } of listings) {
      for (const { minNights } of rates.lengthDiscounts) {
        assert.ok(minNights <= stayRules.maxNights, slug);
      }
    }
  });

  it('has a few homes with fixed arrival days and long minimum stays', () => {
    const saturdays = slugsOf(({ stayRules }) => stayRules.arrivalDays.join() === 'sat');
    assert.ok(saturdays.length >= 3 && saturdays.length <= 8, saturdays.join());
    assert.ok(
      slugsOf(({ rates }) => rates.seasons.some(({ minNights }) => minNights === 7)).length > 1,
    );
    for (const { slug, stayRules } of listings) {
      const { minNights, maxNights, arrivalDays } = stayRules;
      assert.ok(minNights >= 1 && minNights <= 7 && maxNights >= 28 && maxNights <= 90, slug);
      assert.ok(arrivalDays.length > 0 && noticeOf(stayRules).days <= 2, slug);
    }
  });

  it('has a brand with policies and standards', () => {
    assert.equal(site.slug, 'alder-and-tarn');
    for (const texts of [sitePolicies, standards]) {
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
    assert.equal(codes['WELCOME10']?.percent, 10);
    assert.deepEqual(codes['SLOWSEA15']?.collections, [collections[0]?.slug]);
    assert.equal(codes['FIFTYOFF']?.amount, 5_000);
    assert.equal(codes['FIFTYOFF']?.currency, 'USD');
    assert.equal(codes['LONGSTAY']?.minNights, 7);
    assert.equal(codes['ENDED2020']?.bookTo, '2020-12-31');
    assert.equal(codes['FIRST100']?.maxUses, 100);
  });
});
