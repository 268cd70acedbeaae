/**
 * Prices, schedules and refunds of random homes and stays, compared with a second implementation.
 * `npm run random -- prices --count 1000000` compares a million.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { epochMsAt } from '../../src/pricing/rules/calendar-date.ts';
import { cancellationInstants } from '../../src/pricing/rules/cancellation.ts';
import type { Charges } from '../../src/pricing/rules/charges.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { extrasFloor, staysLike, totalFloor } from '../../src/pricing/rules/price-floor.ts';
import { explainStay } from '../../src/pricing/rules/price-stay.ts';
import { lowestPriceIn } from '../../src/pricing/rules/rates.ts';
import { runs } from '../harness/runs.ts';
import { randomStay, type RandomStay } from './random-homes.ts';
import { comparePrice, homeOf, nightsOf, priceOf, sum } from './compare-stay.ts';

const comparisons = 2_500;

/** Visits the homes of many numbers. Says the number of the first that fails. */
function visit(check: (asked: RandomStay, home: Listing, charges: Charges | null) => void): number {
  let visited = 0;
  for (let seed = 1; seed <= runs(comparisons); seed += 1) {
    const asked = randomStay(seed);
    const home = homeOf(asked);
    if (home === null) continue;
    visited += 1;
    try {
      check(asked, home, priceOf(home, asked));
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`home ${seed}: ${message}\n${JSON.stringify(asked)}`, { cause: error });
    }
  }
  return visited;
}

suite('a second implementation of prices', () => {
  test('every line, payment and included tax is the same', () => {
    let priced = 0;
    const visited = visit((asked, home, charges) => {
      if (comparePrice(asked, home, charges)) priced += 1;
    });
    assert.ok(visited > comparisons / 2 && priced > visited / 2, `${visited} homes, ${priced}`);
  });

  test('lines and payments add up, and nothing is negative', () => {
    visit((_asked, _home, charges) => {
      if (!charges) return;
      assert.equal(sum(charges.lines), charges.total);
      assert.equal(sum(charges.schedule), charges.total);
      assert.equal(charges.accommodation + charges.fees + charges.taxes, charges.total);
      assert.ok(charges.accommodation >= 0 && charges.fees >= 0 && charges.taxes >= 0);
      assert.ok([...charges.schedule, ...charges.nights].every(({ amount }) => amount >= 0));
      const step = charges.currency === 'KWD' ? 10 : 1;
      for (const { amount } of [...charges.lines, ...charges.schedule, ...charges.nights]) {
        assert.equal(Math.abs(amount % step), 0);
      }
    });
  });

  test('an explanation has the nights and lines of the price, and says why others are not charged', () => {
    visit((asked, home, charges) => {
      const explained = explainStay(home, asked.stay, asked.party, asked);
      assert.equal(explained === null, charges === null);
      if (!charges || !explained) return;
      const { nights, lines } = explained;
      assert.deepEqual(
        nights.map(({ date, amount }) => ({ date, amount })),
        charges.nights,
      );
      const charged = lines.filter(({ notCharged }) => notCharged === null);
      assert.deepEqual(
        charged
          .filter(({ isIncluded }) => !isIncluded)
          .map(({ kind, label, amount }) => ({ kind, label, amount }))
          .filter(({ kind, amount }) => kind === 'accommodation' || amount !== 0),
        charges.lines.map(({ kind, label, amount }) => ({ kind, label, amount })),
      );
      assert.equal(
        sum(charged.filter(({ isIncluded }) => isIncluded)),
        sum(charges.includedTaxes!),
      );
      for (const line of lines) {
        const { amount, unit, nights: counted, guests, pets } = line;
        if (unit === null || line.notCharged !== null || charges.currency === 'KWD') continue;
        const isPerNight = line.per?.endsWith('night');
        assert.equal(amount, unit * (guests ?? 1) * (pets ?? 1) * (isPerNight ? counted! : 1));
      }
    });
  });

  test('the lower bound of searches is never above the total', () => {
    visit((asked, home, charges) => {
      // Searches know no codes.
      const searched = charges && priceOf(home, { ...asked, promotion: null });
      if (!searched) return;
      const like = staysLike([nightsOf(asked)], asked.party, asked.adjustmentPercent);
      const nights = like.shapes[0]!.reduce(
        (all, part) => all + part.nights * Math.fround(lowestPriceIn(home, part.month)),
        0,
      );
      const floor = totalFloor(nights, extrasFloor(home, like.nights), like);
      assert.ok(floor <= searched.total, `${floor} is above ${searched.total}`);
    });
  });

  test('a higher cap never charges less', () => {
    visit((asked, home, charges) => {
      const taxes = home.taxes.map((tax) =>
        tax.maxAmount === undefined ? tax : { ...tax, maxAmount: tax.maxAmount + 137 },
      );
      if (charges) assert.ok(priceOf({ ...home, taxes }, asked)!.total >= charges.total);
    });
  });
});

/** The refund of a cancellation at each of some moments, with what was collected by then. */
function refunds(home: Listing, { stay, quotedOn }: RandomStay, charges: Charges) {
  const quotedAt = epochMsAt(quotedOn, '12:00', home.timeZone);
  const instants = cancellationInstants(home, stay, charges, { from: quotedAt, quotedAt });
  const end = epochMsAt(stay.checkOut, '12:00', home.timeZone);
  return Array.from({ length: 12 }, (_, at) => {
    const moment = quotedAt + Math.floor(((end - quotedAt) * at) / 11);
    const collected = sum(
      charges.schedule.filter(
        ({ dueOn, at: where }) =>
          where !== 'property' &&
          epochMsAt(Date.parse(dueOn) / 86_400_000, '00:00', home.timeZone) <= moment,
      ),
    );
    const found = instants.find(({ before }) => moment < Date.parse(before));
    return { collected, refund: found?.refundAmount ?? 0 };
  });
}

suite('refunds of random homes', () => {
  // Spec: TERMS-5.
  test('never more than what was collected, never negative', () => {
    visit((asked, home, charges) => {
      if (!charges || asked.today !== asked.quotedOn) return;
      for (const { collected, refund } of refunds(home, asked, charges)) {
        assert.ok(refund >= 0 && refund <= collected, `${refund} of ${collected}`);
      }
    });
  });

  // Spec: TERMS-7.
  test('a longer grace never refunds less', () => {
    visit((asked, home, charges) => {
      const { cancellationGrace: grace } = home;
      if (!charges || !grace || asked.today !== asked.quotedOn) return;
      const longer = { ...home, cancellationGrace: { ...grace, hours: grace.hours + 30 } };
      const before = refunds(home, asked, charges);
      refunds(longer, asked, charges).forEach(({ refund }, at) =>
        assert.ok(refund >= before[at]!.refund),
      );
    });
  });
});
