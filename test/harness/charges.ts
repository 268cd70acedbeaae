import assert from 'node:assert/strict';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import { plusDays } from './catalog.ts';

type Kind = Charges['lines'][number]['kind'];

const sumOf = (parts: readonly { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);

/** The sum of the lines of these kinds. */
export const lineSum = ({ lines }: Charges, ...kinds: Kind[]): number =>
  sumOf(lines.filter(({ kind }) => kinds.includes(kind)));

/** Throws unless the sums of a price hold as decided, for a stay priced on `today`. */
export function checkCharges(
  charges: Charges,
  stay: { checkIn: string; checkOut: string },
  today: string,
): void {
  const { accommodation, fees, cleaning, taxes, total, dueNow, schedule, lines, nights } = charges;
  assert.equal(total, accommodation + fees + taxes);
  assert.equal(sumOf(lines), total);
  assert.equal(lineSum(charges, 'accommodation', 'discount', 'promotion'), accommodation);
  assert.equal(lineSum(charges, 'cleaning', 'fee'), fees);
  assert.equal(lineSum(charges, 'cleaning'), cleaning);
  assert.equal(lineSum(charges, 'tax'), taxes);
  assert.equal(sumOf(nights), lineSum(charges, 'accommodation'));
  assert.equal(nights[0]?.date, stay.checkIn);
  assert.equal(plusDays(nights.at(-1)?.date ?? '', 1), stay.checkOut);
  nights.forEach(({ date }, at) => assert.equal(date, plusDays(stay.checkIn, at)));

  for (const { kind, amount } of lines) {
    const takenOff = kind === 'discount' || kind === 'promotion';
    assert.ok(takenOff ? amount < 0 : amount >= 0, `${kind} ${amount}`);
  }
  const amounts = [accommodation, fees, cleaning, taxes, total, dueNow];
  const parts = [...lines, ...nights, ...schedule].map(({ amount }) => amount);
  assert.ok([...amounts, ...parts].every(Number.isSafeInteger));

  assert.equal(sumOf(schedule), total);
  const dates = schedule.map(({ dueOn }) => dueOn);
  assert.deepEqual(dates, dates.toSorted());
  if (dates[0] === today) assert.equal(schedule[0]?.amount, dueNow);
  assert.ok(dueNow >= 0 && dueNow <= total);
}
