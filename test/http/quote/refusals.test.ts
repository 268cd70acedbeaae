import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Alternative } from '../../../src/contract/errors.ts';
import type { PartyInput } from '../../../src/contract/partner/schemas/primitives.ts';
import { dayNumber } from '../../../src/pricing/rules/calendar-date.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { isNightOpen } from '../../../src/simulation/pattern.ts';
import {
  changeHomes,
  easyStays,
  homesOf,
  plainPrices,
  plusDays,
  sql,
} from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let homes: Listing[];
let strict: Listing;
let dogHome: Listing;
let easy: Listing;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  homes = await homesOf(service);
  const easier = { ...plainPrices, stayRules: easyStays };
  const strictRules: Listing['stayRules'] = {
    minNights: 5,
    maxNights: 10,
    arrivalDays: ['sat'],
    departureDays: ['tue', 'sat'],
    advanceNoticeDays: 10,
    bookingHorizonDays: 90,
  };
  const nobody = { children: false, infants: false, maxPets: 0 };
  const dogs = { children: false, infants: true, maxPets: 2 };
  [strict, dogHome, easy] = (await changeHomes(service, partner, [
    [homes[0]!, { ...easier, timeZone: 'UTC', sleeps: 3, party: nobody, stayRules: strictRules }],
    [homes[1]!, { ...easier, sleeps: null, party: dogs }],
    [homes[2]!, { ...easier, timeZone: 'UTC', sleeps: 2 }],
  ])) as [Listing, Listing, Listing];
});
after(() => service.stop());

const refusal = async (
  { listingId }: Listing,
  checkIn: string,
  nights: number,
  party: PartyInput,
): Promise<unknown> => {
  const checkOut = plusDays(checkIn, nights);
  const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party };
  const error = await partner.refused('reservation.quote.create', { body });
  assert.deepEqual(
    await sql(service, 'SELECT FROM quotes WHERE quote_id = $1', [body.quoteId]),
    [],
    'a refused quote is not stored',
  );
  const { alternatives, ...details } = error.details as { alternatives?: Alternative[] };
  if (alternatives) await assertBookable({ listingId, party }, { checkIn, checkOut }, alternatives);
  return { status: error.status, code: error.code, details, offers: alternatives !== undefined };
};

/** Each alternative can be quoted with the total that it names, and the nearest comes first. */
async function assertBookable(
  of: { listingId: string; party: PartyInput },
  wanted: { checkIn: string; checkOut: string },
  alternatives: readonly Alternative[],
): Promise<void> {
  assert.ok(alternatives.length <= 3);
  const days = (from: string, to: string): number => Math.abs(dayNumber(to) - dayNumber(from));
  const moved = alternatives.map(
    ({ checkIn, checkOut }) => days(wanted.checkIn, checkIn) + days(wanted.checkOut, checkOut),
  );
  assert.deepEqual(
    moved,
    moved.toSorted((a, b) => a - b),
  );
  for (const { checkIn, checkOut, total, currency } of alternatives) {
    const body = { quoteId: randomUUID(), ...of, checkIn, checkOut };
    const { charges } = await partner.succeed('reservation.quote.create', { body }, 201);
    assert.deepEqual([charges.total, charges.currency], [total, currency]);
  }
}

const restricted = (reason: string, also: object = {}) => ({
  status: 422,
  code: 'policy_restricted',
  details: { reason, ...also },
  offers: !partyReasons.has(reason),
});
const unavailable = (...nights: string[]) => ({
  status: 409,
  code: 'conflict',
  details: { reason: 'unavailable', nights },
  offers: true,
});

/** The first date at least this number of days ahead that is this day of the week (Sunday 0). */
function nextWeekday(weekday: number, ahead: number): string {
  const from = daysAhead(ahead);
  return plusDays(from, (weekday - new Date(from).getUTCDay() + 7) % 7);
}

const isOpen = ({ listingId }: Listing, date: string) => isNightOpen(listingId, dayNumber(date));

const partyReasons: ReadonlySet<string> = new Set([
  'too_many_guests',
  'children_not_allowed',
  'infants_not_allowed',
  'pets_not_allowed',
  'too_many_pets',
]);

suite('reservation.quote.create › 422 policy_restricted', () => {
  // Each asks for everything that is wrong from its own reason on: the reasons come in this order.
  const everything = { adults: 3, children: 1, infants: 1, pets: 1 };
  const soon = nextWeekday(0, 2);
  const sunday = nextWeekday(0, 40);
  const saturday = nextWeekday(6, 40);
  const asked: [
    reason: string,
    checkIn: string,
    nights: number,
    party: PartyInput,
    also?: object,
  ][] = [
    ['too_many_guests', soon, 1, everything, { limit: 3 }],
    ['children_not_allowed', soon, 1, { ...everything, adults: 2 }],
    ['infants_not_allowed', soon, 1, { adults: 3, infants: 1, pets: 1 }],
    ['pets_not_allowed', soon, 1, { adults: 3, pets: 1 }],
    ['advance_notice', soon, 1, { adults: 3 }, { limit: 10 }],
    ['arrival_day', sunday, 1, { adults: 3 }, { allowed: ['sat'] }],
    ['departure_day', saturday, 1, { adults: 3 }, { allowed: ['tue', 'sat'] }],
    ['min_nights', saturday, 3, { adults: 3 }, { limit: 5 }],
    ['max_nights', saturday, 14, { adults: 3 }, { limit: 10 }],
    ['booking_horizon', nextWeekday(6, 91), 7, { adults: 3 }, { limit: 90 }],
  ];
  for (const [reason, checkIn, nights, party, also] of asked) {
    const rules = partyReasons.has(reason) ? 'party rules' : 'stay rules';
    // Spec: ERROR-7.
    test(`${rules} › ${reason}`, async () => {
      assert.deepEqual(await refusal(strict, checkIn, nights, party), restricted(reason, also));
    });
  }

  test('party rules › too_many_pets', async () => {
    const reply = await refusal(dogHome, daysAhead(30), 2, { adults: 1, pets: 3 });
    assert.deepEqual(reply, restricted('too_many_pets', { limit: 2 }));
  });

  const tooMany: [what: string, party: PartyInput, limit: number][] = [
    ['51 adults where sleeps is null', { adults: 51 }, 50],
    ['198 guests where sleeps is null', { adults: 99, children: 99 }, 50],
    ['11 infants', { adults: 1, infants: 11 }, 10],
    ['99 infants', { adults: 1, infants: 99 }, 10],
  ];
  for (const [what, party, limit] of tooMany) {
    test(`party rules › too_many_guests › ${what}`, async () => {
      const reply = await refusal(dogHome, daysAhead(30), 2, party);
      assert.deepEqual(reply, restricted('too_many_guests', { limit }));
    });
  }

  test('party rules › children_not_allowed comes before too_many_pets', async () => {
    const reply = await refusal(dogHome, daysAhead(30), 2, { adults: 1, children: 1, pets: 3 });
    assert.deepEqual(reply, restricted('children_not_allowed'));
  });

  // Spec: STAY-4.
  test('party and stay rules › 201 › a stay at the limit of every rule', async () => {
    const nights = (checkIn: string) => Array.from({ length: 7 }, (_, at) => plusDays(checkIn, at));
    const weeks = Array.from({ length: 60 }, (_, week) => nextWeekday(6, 14 + week * 7));
    const free = weeks.find((checkIn) => nights(checkIn).every((date) => isOpen(strict, date)))!;
    const body = { quoteId: randomUUID(), listingId: strict.listingId, checkIn: free };
    await partner.succeed('reservation.quote.create', {
      body: { ...body, checkOut: plusDays(free, 7), party: { adults: 3 } },
    });
  });

  // Spec: QUOTE-5.
  test('party and stay rules › come before 409 unavailable', async () => {
    const booked = Array.from({ length: 60 }, (_, at) => daysAhead(30 + at)).find(
      (date) => !isOpen(easy, date),
    )!;
    assert.deepEqual(await refusal(easy, booked, 1, { adults: 2 }), unavailable(booked));
    assert.deepEqual(
      await refusal(easy, booked, 1, { adults: 3 }),
      restricted('too_many_guests', { limit: 2 }),
    );
  });
});

suite('reservation.quote.create › 409 conflict', () => {
  // Spec: QUOTE-4.
  test('unavailable › one unavailable night is enough; the departure night does not count', async () => {
    const dates = Array.from({ length: 200 }, (_, at) => daysAhead(30 + at));
    const lastFree = dates.find((date) => {
      const twoNights = [plusDays(date, -1), date];
      return twoNights.every((night) => isOpen(easy, night)) && !isOpen(easy, plusDays(date, 1));
    })!;
    const checkIn = plusDays(lastFree, -1);
    const body = {
      quoteId: randomUUID(),
      listingId: easy.listingId,
      checkIn,
      party: { adults: 1 },
    };
    await partner.succeed('reservation.quote.create', {
      body: { ...body, checkOut: plusDays(checkIn, 2) },
    });
    const taken = (nights: number) =>
      Array.from({ length: nights }, (_, at) => plusDays(checkIn, at)).filter(
        (night) => !isOpen(easy, night),
      );
    for (const nights of [3, 30]) {
      const refused = await refusal(easy, checkIn, nights, { adults: 1 });
      assert.deepEqual(refused, unavailable(...taken(nights)));
    }
  });
});

suite('reservation.quote.create › 404 not_found', () => {
  const stay = { checkIn: daysAhead(30), checkOut: daysAhead(32), party: { adults: 1 } };

  test('an unknown home', async () => {
    const body = { quoteId: randomUUID(), listingId: randomUUID(), ...stay };
    const error = await partner.refused('reservation.quote.create', { body });
    assert.equal(error.code, 'not_found');
    assert.equal(error.details, undefined);
  });

  test('comes after 400 for invalid dates', async () => {
    const body = {
      quoteId: randomUUID(),
      listingId: randomUUID(),
      ...stay,
      checkOut: stay.checkIn,
    };
    const error = await partner.refused('reservation.quote.create', { body });
    assert.equal(error.code, 'invalid_input');
  });
});

suite('reservation.quote.create › 400 invalid_input', () => {
  const stay = { checkIn: daysAhead(30), checkOut: daysAhead(32), party: { adults: 1 } };
  const wrong: [why: string, change: object, paths: string[]][] = [
    ['a past checkIn', { checkIn: daysAhead(-1) }, ['/checkIn']],
    [
      'a checkIn beyond the horizon',
      { checkIn: daysAhead(731), checkOut: daysAhead(733) },
      ['/checkIn'],
    ],
    [
      'past and more than 90 nights',
      { checkIn: daysAhead(-1), checkOut: daysAhead(90) },
      ['/checkIn', '/checkOut'],
    ],
    ['91 nights', { checkOut: daysAhead(30 + 91) }, ['/checkOut']],
    ['no night', { checkOut: daysAhead(30) }, ['/checkOut']],
    ['checkOut before checkIn', { checkOut: daysAhead(29) }, ['/checkOut']],
    ['all of time', { checkIn: '0000-01-01', checkOut: '9999-12-31' }, ['/checkIn', '/checkOut']],
    [
      'impossible dates',
      { checkIn: '2027-02-29', checkOut: '2027-04-31' },
      ['/checkIn', '/checkOut'],
    ],
    [
      'dates of another form',
      { checkIn: '14.8.2027', checkOut: 20270821 },
      ['/checkIn', '/checkOut'],
    ],
    ['quoteId that is no UUID', { quoteId: `urn:uuid:${randomUUID()}` }, ['/quoteId']],
    ['quoteId null', { quoteId: null }, ['/quoteId']],
    ['listingId in braces', { listingId: `{${randomUUID()}}` }, ['/listingId']],
    [
      'no listingId, no party',
      { listingId: undefined, party: undefined },
      ['/listingId', '/party'],
    ],
    ['adults 0', { party: { adults: 0 } }, ['/party/adults']],
    [
      'adults 100, children -1',
      { party: { adults: 100, children: -1 } },
      ['/party/adults', '/party/children'],
    ],
    ['a price', { total: 1 }, ['/total']],
  ];
  for (const [why, change, paths] of wrong) {
    test(why, async () => {
      const body = { quoteId: randomUUID(), listingId: easy.listingId, ...stay, ...change };
      const error = await partner.refused('reservation.quote.create', {
        rawBody: JSON.stringify(body),
      });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error).toSorted(), paths);
    });
  }
});
