import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { runs } from '../../../test/harness/runs.ts';
import { weekdays } from '../../contract/weekdays.ts';
import { dayNumber } from './calendar-date.ts';
import { Errors } from 'typebox/schema';
import * as quote from '../../contract/partner/schemas/quote.ts';
import type { ChargeLine, Charges } from './charges.ts';
import type { Party, PricedListing, Rates, Stay } from './listing.ts';
import { priceStay, samePrice } from './price-stay.ts';
import type { Promotion } from './promotion.ts';
import { priceQuestions, type PriceQuestion } from '../../../test/harness/arbitraries.ts';
import { unlimited } from '../../../test/harness/unlimited-promotion.ts';

const COUPLE: Party = { adults: 2, children: 0, infants: 0, pets: 0 };

const PLAIN_RATES: Rates = {
  nightly: 10_000,
  weekdays: {},
  seasons: [],
  dates: [],
  lengthDiscounts: [],
};

const PLAIN: PricedListing = {
  currency: 'USD',
  rates: PLAIN_RATES,
  fees: [],
  taxes: [],
  payment: { dueNowPercent: 100, balanceDaysBefore: 0 },
};

/** Differences from a plain listing, in its rates and other members. */
type Changes = Partial<Rates> & Partial<Omit<PricedListing, 'rates'>>;

function homeWith({ currency, fees, taxes, payment, ...rates }: Changes): PricedListing {
  const given = Object.entries({ currency, fees, taxes, payment }).filter(([, value]) => value);
  return { ...PLAIN, ...Object.fromEntries(given), rates: { ...PLAIN_RATES, ...rates } };
}

const TEN_PERCENT: Promotion = {
  code: 'TEN',
  label: 'Ten off',
  kind: 'percent',
  percent: 10,
  ...unlimited,
};

const stayOf = (checkIn: string, checkOut: string): Stay => ({
  checkIn: dayNumber(checkIn),
  checkOut: dayNumber(checkOut),
});

/** Three nights of 10000 from Monday 2027-03-01, booked two months before, unless `asked` differs. */
function priced(
  changes: Changes,
  asked: { stay?: Stay; party?: Party; today?: string; promotion?: Promotion } = {},
): Charges {
  const charges = priceStay(
    homeWith(changes),
    asked.stay ?? stayOf('2027-03-01', '2027-03-04'),
    asked.party ?? COUPLE,
    {
      today: dayNumber(asked.today ?? '2027-01-01'),
      promotion: asked.promotion ?? null,
      adjustmentPercent: 0,
    },
  );
  assert.ok(charges);
  return charges;
}

function answer({ listing, stay, party, today, promotion }: PriceQuestion): Charges {
  const charges = priceStay(listing, stay, party, { today, promotion, adjustmentPercent: 0 });
  assert.ok(charges);
  return charges;
}

const withRates = (question: PriceQuestion, rates: Partial<Rates>): PriceQuestion => ({
  ...question,
  listing: { ...question.listing, rates: { ...question.listing.rates, ...rates } },
});

/** Charges without what lines say besides their amounts. */
function amountsOf({ includedTaxes, ...charges }: Charges): Omit<Charges, 'includedTaxes'> {
  assert.deepEqual(includedTaxes, []);
  return { ...charges, lines: charges.lines.map(({ percent: _, base: __, ...line }) => line) };
}

const sum = (parts: { amount: number }[]): number =>
  parts.reduce((total, { amount }) => total + amount, 0);

const ofKinds = (charges: Charges, ...kinds: ChargeLine['kind'][]): ChargeLine[] =>
  charges.lines.filter(({ kind }) => kinds.includes(kind));

/** Rounds half away from zero with big integers. */
function exactShare(amount: number, millionths: number): number {
  const product = BigInt(amount) * BigInt(millionths);
  const size = product < 0n ? -product : product;
  const rounded = Number((size + 500_000n) / 1_000_000n);
  return product < 0n && rounded > 0 ? -rounded : rounded;
}

function everyPrice(
  name: string,
  check: (charges: Charges, question: PriceQuestion) => void,
  numRuns = 300,
): void {
  test(name, () => {
    fc.assert(
      fc.property(priceQuestions(), (question) => check(answer(question), question)),
      { numRuns: runs(numRuns) },
    );
  });
}

suite('charges, calculated manually', () => {
  // Spec: PRICE-1.
  test('charges › the example of the contract', () => {
    const charges = priced(
      {
        nightly: 28_000,
        fees: [
          { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 15_000 },
          { kind: 'fee', label: 'Linen', per: 'guest', amount: 3_250 },
        ],
        taxes: [{ label: 'Lodging tax', on: ['accommodation', 'cleaning', 'fees'], percent: 12 }],
        payment: { dueNowPercent: 50, balanceDaysBefore: 30 },
      },
      { stay: stayOf('2027-03-03', '2027-03-06'), today: '2026-11-20' },
    );
    assert.deepEqual(amountsOf(charges), {
      currency: 'USD',
      accommodation: 84_000, // 3 × 28000
      fees: 21_500, // 15000 + 2 × 3250
      cleaning: 15_000,
      taxes: 12_660, // (84000 + 21500) × 12 %
      total: 118_160, // 84000 + 21500 + 12660
      dueNow: 59_080, // half
      schedule: [
        { dueOn: '2026-11-20', amount: 59_080 },
        { dueOn: '2027-02-01', amount: 59_080 }, // 30 days before 3 March
      ],
      lines: [
        { kind: 'accommodation', label: 'Accommodation', amount: 84_000 },
        { kind: 'cleaning', label: 'Cleaning', amount: 15_000 },
        { kind: 'fee', label: 'Linen', amount: 6_500 },
        { kind: 'tax', label: 'Lodging tax', amount: 12_660 },
      ],
      nights: [
        { date: '2027-03-03', amount: 28_000 },
        { date: '2027-03-04', amount: 28_000 },
        { date: '2027-03-05', amount: 28_000 },
      ],
    });
  });

  test('charges › all features together, with rounding on every line', () => {
    const charges = priced(
      {
        nightly: 10_005,
        weekdays: { fri: 12_345, sat: 12_345 },
        seasons: [
          { name: 'New year', from: '12-28', to: '01-03', changePercent: 33.33, minNights: 5 },
        ],
        lengthDiscounts: [
          { label: 'Five nights', minNights: 5, percent: 5 },
          { label: 'A week', minNights: 7, percent: 12.5 },
          { label: 'A month', minNights: 28, percent: 30 },
        ],
        fees: [
          { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 8_500 },
          { kind: 'fee', label: 'Linen', per: 'guest', amount: 1_250 },
          { kind: 'fee', label: 'Resort', per: 'guest_night', amount: 199 },
          { kind: 'fee', label: 'Pet', per: 'pet', amount: 3_000 },
          { kind: 'fee', label: 'Pet care', per: 'pet_night', amount: 150 },
          { kind: 'fee', label: 'Energy', per: 'night', amount: 250 },
        ],
        taxes: [
          { label: 'City', on: ['accommodation'], percent: 6.25 },
          { label: 'State', on: ['accommodation', 'cleaning', 'fees'], percent: 8.87 },
          { label: 'PortalCaller', per: 'guest_night', amount: 125 },
        ],
        payment: { dueNowPercent: 30, balanceDaysBefore: 60 },
      },
      {
        stay: stayOf('2026-12-26', '2027-01-02'),
        party: { adults: 2, children: 1, infants: 1, pets: 1 },
        today: '2026-09-01',
        promotion: TEN_PERCENT,
      },
    );
    assert.deepEqual(charges.nights, [
      { date: '2026-12-26', amount: 12_345 }, // Saturday, before the season
      { date: '2026-12-27', amount: 10_005 }, // Sunday
      { date: '2026-12-28', amount: 13_340 }, // 10005 × 1.3333 = 13339.6665
      { date: '2026-12-29', amount: 13_340 },
      { date: '2026-12-30', amount: 13_340 },
      { date: '2026-12-31', amount: 13_340 },
      { date: '2027-01-01', amount: 16_460 }, // Friday: 12345 × 1.3333 = 16459.5885
    ]);
    assert.deepEqual(amountsOf(charges).lines, [
      { kind: 'accommodation', label: 'Accommodation', amount: 92_170 },
      { kind: 'discount', label: 'A week', amount: -11_521 }, // 92170 × 12.5 % = 11521.25
      { kind: 'promotion', label: 'Ten off', amount: -8_065 }, // (92170 - 11521) × 10 % = 8064.9
      { kind: 'cleaning', label: 'Cleaning', amount: 8_500 },
      { kind: 'fee', label: 'Linen', amount: 3_750 }, // 3 guests
      { kind: 'fee', label: 'Resort', amount: 4_179 }, // 3 × 7 × 199
      { kind: 'fee', label: 'Pet', amount: 3_000 },
      { kind: 'fee', label: 'Pet care', amount: 1_050 }, // 1 × 7 × 150
      { kind: 'fee', label: 'Energy', amount: 1_750 }, // 7 × 250
      { kind: 'tax', label: 'City', amount: 4_537 }, // 72584 × 6.25 % = 4536.5
      { kind: 'tax', label: 'State', amount: 8_410 }, // (72584 + 22229) × 8.87 % = 8409.9131
      { kind: 'tax', label: 'PortalCaller', amount: 2_625 }, // 3 × 7 × 125
    ]);
    assert.equal(charges.accommodation, 72_584); // 92170 - 11521 - 8065
    assert.equal(charges.fees, 22_229);
    assert.equal(charges.cleaning, 8_500);
    assert.equal(charges.taxes, 15_572);
    assert.equal(charges.total, 110_385); // 72584 + 22229 + 15572
    assert.deepEqual(charges.schedule, [
      { dueOn: '2026-09-01', amount: 33_116 }, // 110385 × 30 % = 33115.5
      { dueOn: '2026-10-27', amount: 77_269 }, // 60 days before 26 December
    ]);
  });

  // Spec: PRICE-3.
  test('charges › a weekday has its own price, or the general nightly price', () => {
    const charges = priced(
      { nightly: 1, weekdays: { fri: 1_000, sat: 1_000 } },
      { stay: stayOf('2027-03-01', '2027-03-08') }, // Monday to Monday
    );
    const amounts = charges.nights.map(({ amount }) => amount);
    assert.deepEqual(amounts, [1, 1, 1, 1, 1_000, 1_000, 1]);
  });

  // Spec: PRICE-6.
  test('charges › the longest matching length discount applies, in any order', () => {
    const lengthDiscounts = [
      { label: 'Three', minNights: 3, percent: 10 },
      { label: 'Two', minNights: 2, percent: 50 },
      { label: 'Four', minNights: 4, percent: 90 },
    ];
    const discounted = ofKinds(priced({ lengthDiscounts }), 'discount');
    assert.deepEqual(discounted, [
      { kind: 'discount', label: 'Three', amount: -3_000, percent: 10, base: 30_000 },
    ]);
    const oneNight = priced({ lengthDiscounts }, { stay: stayOf('2027-03-01', '2027-03-02') });
    assert.deepEqual(ofKinds(oneNight, 'discount'), []);
  });

  // Spec: PRICE-7.
  test('charges › lines of 0 are omitted, except accommodation', () => {
    const charges = priced({
      nightly: 0,
      lengthDiscounts: [{ label: 'None', minNights: 1, percent: 50 }],
      fees: [
        { kind: 'fee', label: 'Pet', per: 'pet', amount: 500 },
        { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 0 },
      ],
      taxes: [{ label: 'Tax', on: ['accommodation'], percent: 10 }],
    });
    assert.deepEqual(charges.lines, [{ kind: 'accommodation', label: 'Accommodation', amount: 0 }]);
    assert.deepEqual(charges.schedule, []);
    for (const amount of [charges.accommodation, charges.total, charges.dueNow]) {
      assert.ok(Object.is(amount, 0));
    }
  });

  test('charges › several cleaning fees all count as cleaning', () => {
    const charges = priced({
      fees: [
        { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 5_000 },
        { kind: 'fee', label: 'Linen', per: 'stay', amount: 700 },
        { kind: 'cleaning', label: 'After pets', per: 'stay', amount: 900 },
      ],
    });
    assert.equal(charges.cleaning, 5_900);
    assert.equal(charges.fees, 6_600);
  });

  test('charges › a promotion reduces accommodation at most to 0, and never a fee', () => {
    const off = { ...TEN_PERCENT, kind: 'amount', off: 999_999, currency: 'USD' } as const;
    const charges = priced(
      {
        lengthDiscounts: [{ label: 'Half', minNights: 1, percent: 50 }],
        fees: [{ kind: 'fee', label: 'Linen', per: 'stay', amount: 700 }],
      },
      { promotion: off },
    );
    assert.equal(sum(ofKinds(charges, 'promotion')), -15_000); // 30000 - 15000
    assert.equal(charges.accommodation, 0);
    assert.equal(charges.total, 700);
  });

  test('charges › a share above 100 % does not make a price negative', () => {
    const charges = priced({
      seasons: [{ name: 'Typo', from: '03-03', to: '03-03', changePercent: -200 }],
      lengthDiscounts: [{ label: 'Typo', minNights: 1, percent: 200 }],
      payment: { dueNowPercent: 200, balanceDaysBefore: 0 },
      fees: [{ kind: 'fee', label: 'Linen', per: 'stay', amount: 700 }],
    });
    assert.deepEqual(
      charges.nights.map(({ amount }) => amount),
      [10_000, 10_000, 0],
    );
    assert.equal(charges.accommodation, 0);
    assert.deepEqual(charges.schedule, [{ dueOn: '2027-01-01', amount: 700 }]);
  });
});

suite('charges, when they fall due', () => {
  // Three nights of 10000 from 2027-03-01; 30 days before is 2027-01-30.
  const half = { payment: { dueNowPercent: 50, balanceDaysBefore: 30 } };

  // Spec: SCHEDULE-2.
  test('charges › the balance is due the configured days before arrival', () => {
    assert.deepEqual(priced(half, { today: '2027-01-29' }).schedule, [
      { dueOn: '2027-01-29', amount: 15_000 },
      { dueOn: '2027-01-30', amount: 15_000 },
    ]);
  });

  // Spec: SCHEDULE-1.
  test('charges › from the due day of the balance on, everything is due now', () => {
    for (const today of ['2027-01-30', '2027-01-31', '2027-03-01']) {
      const charges = priced(half, { today });
      assert.deepEqual(charges.schedule, [{ dueOn: today, amount: 30_000 }]);
      assert.equal(charges.dueNow, 30_000);
    }
  });

  test('charges › 100 % now is one payment, 0 % now is one later payment', () => {
    const now = priced({ payment: { dueNowPercent: 100, balanceDaysBefore: 30 } });
    assert.deepEqual(now.schedule, [{ dueOn: '2027-01-01', amount: 30_000 }]);
    const later = priced({ payment: { dueNowPercent: 0, balanceDaysBefore: 30 } });
    assert.deepEqual(later.schedule, [{ dueOn: '2027-01-30', amount: 30_000 }]);
    assert.equal(later.dueNow, 0);
  });
});

suite('charges, for every rate card, stay, party and promotion', () => {
  everyPrice('charges › lines add up to total', (charges) => {
    assert.equal(sum(charges.lines), charges.total);
  });

  everyPrice('charges › total is accommodation, fees and taxes', (charges) => {
    assert.equal(charges.accommodation + charges.fees + charges.taxes, charges.total);
  });

  everyPrice('charges › schedule adds up to total and begins with what is due now', (charges) => {
    assert.equal(sum(charges.schedule), charges.total);
    assert.ok(charges.dueNow >= 0 && charges.dueNow <= charges.total);
  });

  everyPrice('charges › payments are positive and in order, the first today', (charges, asked) => {
    const [first, second] = charges.schedule.map(({ dueOn }) => dayNumber(dueOn));
    assert.ok(charges.schedule.length <= 2);
    assert.ok(charges.schedule.every(({ amount }) => amount > 0));
    const dueToday = charges.schedule.filter(({ dueOn }) => dayNumber(dueOn) === asked.today);
    assert.equal(sum(dueToday), charges.dueNow);
    if (first !== undefined) assert.ok(first >= asked.today);
    if (second !== undefined) {
      assert.equal(first, asked.today);
      assert.ok(second > asked.today && second <= asked.stay.checkIn);
    }
  });

  everyPrice(
    'charges › nights add up to the line of accommodation, one a night',
    (charges, asked) => {
      const [line, ...others] = ofKinds(charges, 'accommodation');
      assert.equal(others.length, 0);
      assert.equal(sum(charges.nights), line?.amount);
      const dates = charges.nights.map(({ date }) => dayNumber(date));
      const length = asked.stay.checkOut - asked.stay.checkIn;
      assert.deepEqual(
        dates,
        Array.from({ length }, (_, index) => asked.stay.checkIn + index),
      );
    },
  );

  everyPrice('charges › accommodation is its line, the discount and the promotion', (charges) => {
    const lines = ofKinds(charges, 'accommodation', 'discount', 'promotion');
    assert.equal(sum(lines), charges.accommodation);
  });

  everyPrice('charges › fees include cleaning', (charges) => {
    assert.equal(sum(ofKinds(charges, 'cleaning')), charges.cleaning);
    assert.equal(sum(ofKinds(charges, 'cleaning', 'fee')), charges.fees);
    assert.equal(sum(ofKinds(charges, 'tax')), charges.taxes);
  });

  everyPrice('charges › amounts are whole and not negative, save what is taken off', (charges) => {
    const { currency: _, schedule, lines, nights, includedTaxes: __, ...sums } = charges;
    const parts = [...schedule, ...nights, ...lines.filter(isCharged)].map(({ amount }) => amount);
    for (const amount of [...Object.values(sums), ...parts]) {
      assert.ok(Number.isSafeInteger(amount) && amount >= 0 && !Object.is(amount, -0));
    }
    for (const { amount } of ofKinds(charges, 'discount', 'promotion')) {
      assert.ok(Number.isSafeInteger(amount) && amount < 0);
    }
  });

  everyPrice('charges › no line is nothing, save accommodation', (charges) => {
    assert.ok(charges.lines.every(({ kind, amount }) => kind === 'accommodation' || amount !== 0));
  });

  everyPrice('charges › lines stand in the order in which they are worked out', (charges) => {
    const order = ['accommodation', 'discount', 'promotion', 'fee', 'tax'];
    const places = charges.lines.map(({ kind }) =>
      order.indexOf(kind === 'cleaning' ? 'fee' : kind),
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  everyPrice(
    'charges › each night has the price of the rule that comes first',
    (charges, asked) => {
      for (const { date, amount } of charges.nights) {
        assert.equal(amount, expectedNight(asked.listing.rates, date), date);
      }
    },
  );

  everyPrice(
    'charges › each fee counts what it is charged for',
    (charges, { listing, ...asked }) => {
      const nights = asked.stay.checkOut - asked.stay.checkIn;
      const expected = listing.fees.map(({ per = 'stay', amount = 0, fromGuest = 1 }) => {
        const guests = Math.max(0, asked.party.adults + asked.party.children - (fromGuest - 1));
        const each = per.startsWith('guest')
          ? guests
          : per.startsWith('pet')
            ? asked.party.pets
            : 1;
        return amount * each * (per.endsWith('night') ? nights : 1);
      });
      assert.deepEqual(
        ofKinds(charges, 'cleaning', 'fee').map(({ amount }) => amount),
        expected.filter((amount) => amount !== 0),
      );
    },
  );

  everyPrice('charges › each tax is rounded once, on what it is charged on', (charges, asked) => {
    const { party, stay, listing } = asked;
    const nights = stay.checkOut - stay.checkIn;
    const feesOf = (kind: string) =>
      listing.fees
        .filter((fee) => fee.kind === kind && fee.taxed !== false)
        .map((fee) =>
          sum(
            answer({ ...asked, listing: { ...listing, fees: [fee] } }).lines.filter(
              (line) => line.kind === kind,
            ),
          ),
        )
        .reduce((total, amount) => total + amount, 0);
    const bases: Record<string, number> = {
      accommodation: charges.accommodation,
      cleaning: feesOf('cleaning'),
      fees: feesOf('fee'),
    };
    const expected = listing.taxes.map((tax) => {
      if (nights > (tax.staysUpToNights ?? 90)) return 0;
      const { per = 'stay', amount = 0, percent } = tax;
      if (percent !== undefined) {
        const base = tax.on!.reduce((total, part) => total + bases[part]!, 0);
        return exactShare(base, Math.round(percent * 10_000));
      }
      const guests = tax.adultsOnly ? party.adults : party.adults + party.children;
      const counted = Math.min(nights, tax.maxNights ?? 90);
      return (
        amount * (per.startsWith('guest') ? guests : 1) * (per.endsWith('night') ? counted : 1)
      );
    });
    assert.deepEqual(
      ofKinds(charges, 'tax').map(({ amount }) => amount),
      expected.filter((amount) => amount !== 0),
    );
  });

  // Spec: PRICE-4.
  test('charges › the channel adjustment changes each night first', () => {
    fc.assert(
      fc.property(priceQuestions(), fc.integer({ min: -9_999, max: 9_999 }), (asked, points) => {
        const { listing, stay, party, today, promotion } = asked;
        const adjustmentPercent = points / 100;
        const options = { today, promotion, adjustmentPercent };
        const adjusted = priceStay(listing, stay, party, options);
        const plain = answer(asked);
        assert.deepEqual(
          adjusted?.nights.map(({ amount }) => amount),
          plain.nights.map(({ amount }) => exactShare(amount, 1_000_000 + points * 100)),
        );
        assert.equal(adjusted?.fees, plain.fees);
      }),
    );
  });
});

suite('charges, without a price', () => {
  const unpriced = ({ nightly: _, ...rates }: Rates) => ({ ...PLAIN, rates });
  const march = stayOf('2027-03-01', '2027-03-04');
  const priceOf = (listing: PricedListing, stay = march) =>
    priceStay(listing, stay, COUPLE, { today: dayNumber('2027-01-01'), adjustmentPercent: 0 });

  // Spec: PRICE-5.
  test('charges › null if one night has no price', () => {
    assert.equal(priceOf(unpriced(PLAIN_RATES)), null);
    // Monday and Tuesday have prices, Wednesday has none.
    const some = unpriced({ ...PLAIN_RATES, weekdays: { mon: 100, tue: 200 } });
    assert.equal(priceOf(some), null);
    assert.equal(priceOf(some, stayOf('2027-03-01', '2027-03-03'))?.total, 300);
  });

  test('charges › null for a percentage change without a base price', () => {
    const seasons = [{ name: 'All', from: '01-01', to: '12-31', changePercent: 50 }];
    assert.equal(priceOf(unpriced({ ...PLAIN_RATES, seasons })), null);
    const withPrices = [{ name: 'All', from: '01-01', to: '12-31', nightly: 50 }];
    assert.equal(priceOf(unpriced({ ...PLAIN_RATES, seasons: withPrices }))?.total, 150);
  });

  test('charges › null if a sum is not a safe integer', () => {
    const most = Number.MAX_SAFE_INTEGER;
    assert.equal(priceOf(homeWith({ nightly: most })), null);
    const fees = [{ label: 'Fee', kind: 'fee' as const, per: 'guest' as const, amount: most }];
    assert.equal(priceOf(homeWith({ fees })), null);
  });
});

suite('charges, on the wire', () => {
  everyPrice('charges › have the form that the contract gives them', (charges) => {
    const wire: quote.Charges = charges;
    assert.deepEqual(Errors(quote.Charges, wire), [true, []]);
    assert.deepEqual(Object.keys(charges), Object.keys(quote.Charges.properties));
    assert.deepEqual(JSON.parse(JSON.stringify(charges)), charges);
  });
});

suite('charges, compared', () => {
  const more = ['adults', 'children', 'infants', 'pets'] as const;
  for (const member of more) {
    everyPrice(`charges › more ${member} never cost less`, (charges, asked) => {
      const party = { ...asked.party, [member]: asked.party[member] + 1 };
      assert.ok(answer({ ...asked, party }).total >= charges.total);
    });
  }

  everyPrice('charges › infants cost nothing', (charges, asked) => {
    const without = answer({ ...asked, party: { ...asked.party, infants: 0 } });
    assert.deepEqual(without, charges);
  });

  everyPrice(
    'charges › without length discounts and limits of taxes a night more never costs less',
    (_, asked) => {
      const taxes = asked.listing.taxes.map(({ staysUpToNights: _limit, ...tax }) => tax);
      const listing = { ...asked.listing, taxes };
      const plain = withRates({ ...asked, listing, promotion: null }, { lengthDiscounts: [] });
      const stay = { ...asked.stay, checkOut: asked.stay.checkOut + 1 };
      assert.ok(answer({ ...plain, stay }).total >= answer(plain).total);
    },
  );

  everyPrice('charges › a promotion never raises anything that is paid', (charges, asked) => {
    const without = answer({ ...asked, promotion: null });
    assert.ok(charges.accommodation <= without.accommodation);
    assert.ok(charges.total <= without.total);
    assert.equal(charges.fees, without.fees);
    assert.deepEqual(charges.nights, without.nights);
  });

  everyPrice('charges › a better promotion is never dearer', (charges, asked) => {
    fc.pre(asked.promotion !== null);
    const { promotion } = asked;
    const better: Promotion =
      promotion.kind === 'percent'
        ? { ...promotion, percent: promotion.percent + 0.0001 }
        : { ...promotion, off: promotion.off + 1 };
    assert.ok(answer({ ...asked, promotion: better }).total <= charges.total);
  });

  everyPrice(
    'charges › the promotion is worked out after the length discount',
    (charges, asked) => {
      fc.pre(asked.promotion?.kind === 'percent');
      const before = sum(ofKinds(charges, 'accommodation', 'discount'));
      const taken = exactShare(before, Math.round(asked.promotion.percent * 10_000));
      assert.equal(sum(ofKinds(charges, 'promotion')) + taken, 0);
    },
  );

  everyPrice('charges › the order of taxes and fees changes no sum', (charges, asked) => {
    const { fees, taxes } = asked.listing;
    const listing = { ...asked.listing, fees: fees.toReversed(), taxes: taxes.toReversed() };
    const reversed = answer({ ...asked, listing });
    assert.equal(reversed.total, charges.total);
    assert.equal(reversed.taxes, charges.taxes);
  });

  everyPrice('charges › booking later changes when it is paid, not what', (charges, asked) => {
    const later = answer({ ...asked, today: Math.min(asked.today + 10, asked.stay.checkIn) });
    assert.ok(samePrice(later, charges));
    assert.ok(later.dueNow >= charges.dueNow);
  });
});

suite('price changed', () => {
  test('price changed › not after pricing again or a round trip through JSON', () => {
    assert.equal(samePrice(discountedPrice(), discountedPrice()), true);
    assert.equal(
      samePrice(discountedPrice(), JSON.parse(JSON.stringify(discountedPrice())) as Charges),
      true,
    );
  });

  test('price changed › not by due dates or labels', () => {
    const { lines } = discountedPrice();
    const renamed = lines.map(({ kind, amount }) => ({ kind, label: 'New', amount }));
    assert.equal(
      samePrice(discountedPrice(), { ...discountedPrice(), dueNow: 1, schedule: [] }),
      true,
    );
    assert.equal(samePrice(discountedPrice(), { ...discountedPrice(), lines: renamed }), true);
  });

  const changes: [what: string, change: (charges: Charges) => Partial<Charges>][] = [
    ['currency', () => ({ currency: 'EUR' })],
    ['accommodation', ({ accommodation }) => ({ accommodation: accommodation + 1 })],
    ['fees', ({ fees }) => ({ fees: fees + 1 })],
    ['cleaning', ({ cleaning }) => ({ cleaning: cleaning + 1 })],
    ['taxes', ({ taxes }) => ({ taxes: taxes + 1 })],
    ['total', ({ total }) => ({ total: total + 1 })],
    ['one line less', ({ lines }) => ({ lines: lines.slice(0, -1) })],
    [
      'the amount of a line',
      ({ lines }) => ({ lines: lines.with(1, { ...at(lines, 1), amount: -1 }) }),
    ],
    [
      'the kind of a line',
      ({ lines }) => ({ lines: lines.with(3, { ...at(lines, 3), kind: 'fee' }) }),
    ],
    ['one night more', ({ nights }) => ({ nights: [...nights, at(nights, 0)] })],
    [
      'the date of a night',
      ({ nights }) => ({ nights: nights.with(0, { ...at(nights, 0), date: '2026-01-01' }) }),
    ],
    [
      'the amount of a night',
      ({ nights }) => ({ nights: nights.with(0, { ...at(nights, 0), amount: 1 }) }),
    ],
  ];
  for (const [what, change] of changes) {
    // Spec: PRICE-9.
    test(`price changed › by ${what}`, () => {
      const changed = { ...discountedPrice(), ...change(discountedPrice()) };
      assert.equal(samePrice(discountedPrice(), changed), false);
      assert.equal(samePrice(changed, discountedPrice()), false);
    });
  }
});

/** A price with a line of every kind except a plain fee. */
function discountedPrice(): Charges {
  return priced(
    {
      lengthDiscounts: [{ label: 'Long', minNights: 1, percent: 10 }],
      fees: [{ kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 5_000 }],
      taxes: [{ label: 'Tax', on: ['accommodation'], percent: 7 }],
      payment: { dueNowPercent: 50, balanceDaysBefore: 30 },
    },
    { promotion: TEN_PERCENT },
  );
}

/** The price of a night, written independently from the rules of the specification. */
function expectedNight(rates: Rates, date: string): number {
  const dated = rates.dates.find(({ from, to }) => from <= date && date <= to);
  if (dated?.nightly !== undefined) return dated.nightly;
  const { dayOfWeek } = Temporal.PlainDate.from(date);
  const weekday = weekdays[dayOfWeek - 1]!;
  const base = rates.weekdays[weekday] ?? rates.nightly!;
  const [season] = rates.seasons
    // A season that states no price for the weekday leaves it to the next one.
    .filter(
      ({ weekdays: own, nightly, changePercent }) =>
        own?.[weekday] !== undefined || nightly !== undefined || changePercent !== undefined,
    )
    .filter(({ from, to }) => {
      const day = from.length === 5 ? date.slice(5) : date;
      return from <= to ? from <= day && day <= to : from <= day || day <= to;
    })
    .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const own = season?.weekdays?.[weekday] ?? season?.nightly;
  return own ?? exactShare(base, 1_000_000 + Math.round((season?.changePercent ?? 0) * 10_000));
}

function isCharged({ kind }: ChargeLine): boolean {
  return kind !== 'discount' && kind !== 'promotion';
}

function at<T>(list: T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}
