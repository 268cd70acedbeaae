/** Short faults of the card provider: repeated at once, and what waits is looked up when the provider answers again. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import type { Fault } from '../harness/stripe/stand-in.ts';

const authorize = 'POST /v1/payment_intents';
const capture = 'POST /v1/payment_intents/{id}/capture';

suite('short faults of the card provider', () => {
  let service: PaidService;
  let card: Partner;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());
  beforeEach(() => {
    service.standIn.faultOf = () => null;
  });

  async function ready(): Promise<Journey> {
    const journey = new Journey(card, await card.checkout());
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
    const { paymentSetup } = await journey.read();
    const method = service.standIn.guest.confirmSetup(paymentSetup!.clientSecret!, 'pm_card_visa');
    await journey.done('verifyPayment', { body: { paymentMethodId: method! } });
    return journey;
  }

  /** The next payment calls get these faults, whatever they are; then all is well. */
  function failNext(faults: readonly Fault[]): void {
    const left = [...faults];
    service.standIn.faultOf = ({ name }) =>
      name.includes('payment_intents') ? (left.shift() ?? null) : null;
  }

  const movements = ({ checkoutId }: Journey): string[] =>
    service.standIn.ledger
      .filter(({ paymentIntent }) => {
        const payment = service.standIn.payments.get(paymentIntent);
        return payment?.metadata['checkoutId'] === checkoutId;
      })
      .map(({ kind }) => kind);

  const isConfirmed = async (journey: Journey): Promise<boolean> =>
    (await journey.read()).state === 'confirmed';

  /** How often the answer to its payment was not known. */
  const unknowns = async ({ checkoutId }: Journey): Promise<number> => {
    const [row] = await sql<{ calls: number }>(
      service.database,
      `SELECT count(*)::integer AS calls FROM payment_entries
        WHERE checkout_id = $1 AND kind = 'unknown'`,
      [checkoutId],
    );
    return row!.calls;
  };

  // Spec: UNCERTAIN-5.
  test('three 503 in a row: the booking is confirmed by its first claim', async () => {
    const journey = await ready();
    failNext(['503', '503', '503']);
    await journey.send('submit');
    await eventually(() => isConfirmed(journey), 20_000);
    assert.equal(await unknowns(journey), 0, 'the outcome was never unknown');
    assert.deepEqual(movements(journey), ['authorized', 'captured']);
  });

  test('six 503 in a row: confirmed by the first lookup, after five seconds', async () => {
    const journey = await ready();
    failNext(['503', '503', '503', '503', '503', '503']);
    await journey.send('submit');
    await eventually(() => isConfirmed(journey), 30_000);
    assert.equal(await unknowns(journey), 1);
    assert.deepEqual(movements(journey), ['authorized', 'captured']);
  });

  for (const call of [authorize, capture]) {
    test(`a 500 of ${call} is looked up and tried with the next number, within the claim`, async () => {
      const journey = await ready();
      let failed = 0;
      service.standIn.faultOf = ({ name }) => {
        if (name !== call || failed === 2) return null;
        failed += 1;
        return '500_before';
      };
      await journey.send('submit');
      await eventually(() => isConfirmed(journey), 20_000);
      assert.equal((await journey.read()).version, 7, 'it was never uncertain');
      assert.deepEqual(movements(journey), ['authorized', 'captured']);
      const keys = service.standIn.calls
        .filter(({ name, request }) => name === call && request.key?.includes(journey.checkoutId))
        .map(({ request }) => request.key!.split(':').slice(2));
      const step = call === authorize ? 'authorize' : 'capture';
      assert.deepEqual(
        keys,
        [1, 2, 3].map((number) => ['booking', String(number), step]),
      );
    });
  }

  // Spec: UNCERTAIN-6.
  test('what waits for the provider is looked up as soon as any call succeeds after a fault', async () => {
    const journey = await ready();
    service.standIn.faultOf = ({ name }) => (name.includes('payment_intents') ? '429' : null);
    await journey.send('submit');
    await eventually(async () => (await journey.read()).state === 'uncertain', 20_000);
    const later = `UPDATE bookings SET due_at = now() + interval '15 minutes', fence = fence + 1
      WHERE booking_id = $1`;
    await sql(service.database, later, [journey.checkoutId]);
    service.standIn.faultOf = () => null;
    // Its nights are free only now.
    const other = await ready();
    await other.send('submit');
    await eventually(() => isConfirmed(journey), 20_000);
    await eventually(() => isConfirmed(other), 20_000);
  });
});
