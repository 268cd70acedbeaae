/** While PostgreSQL's clock is not believed, what comes from outside is taken, and people are told. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type MovableClock, movableClock } from '../harness/moved-clock.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { Receiver } from '../harness/receiver.ts';
import { recordsSecret, verifiedRecord } from '../harness/records.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { postAll } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';

const withinMs = 20_000;
const minuteMs = 60_000;

describe('while the clock is held', () => {
  let receiver: Receiver;
  let service: PaidService;
  let clock: MovableClock;
  let staff: Operator;

  before(async () => {
    receiver = await Receiver.start();
    const alerts = {
      LATCHKEY_ALERTS_URL: receiver.url('/alerts'),
      LATCHKEY_ALERTS_SECRET: recordsSecret,
    };
    const prepare = async (database: Parameters<typeof movableClock>[0]): Promise<void> => {
      clock = await movableClock(database);
    };
    service = await startPaidService(alerts, {}, { prepare });
    staff = await operatorOf(service, 'administrator');
  });
  after(async () => {
    await service.stop();
    await receiver.close();
  });

  const isHeld = async (): Promise<boolean> => {
    const text = 'SELECT held_since IS NOT NULL AS held FROM clock';
    const [row] = await sql<{ held: boolean }>(service.database, text);
    return row!.held;
  };
  /** The kinds of the items that were told as open, by alerts whose signatures and times are right. */
  const told = (): string[] =>
    receiver.arrivals
      .map(
        (arrival) => verifiedRecord(arrival) as unknown as { type: string; item: { kind: string } },
      )
      .filter(({ type }) => type === 'opened')
      .map(({ item }) => item.kind);

  // Spec: CLOCK-2.
  it("staff are told of it, and of a dispute that the provider's event brings meanwhile", async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    await clock.move('61 days');
    await eventually(isHeld, withinMs);
    await eventually(async () => told().includes('clock_jumped'), withinMs);

    const { paymentIntent } = service.standIn.ledger.findLast(({ kind }) => kind === 'captured')!;
    service.standIn.dispute(paymentIntent);
    await postAll(service.origin, service.standIn.events.slice(-1), webhookSecret);
    const { items } = await staff.done('operator.attention.list', { query: { money: true } });
    const [item] = items;
    assert.deepEqual([item?.kind, item?.reference], ['disputed', reference]);
    const off = Date.parse(item!.since) - Date.now();
    assert.ok(Math.abs(off) < minuteMs, `it is as of now, and not of the wrong clock: ${off} ms`);
    await eventually(async () => told().includes('disputed'), withinMs);
  });
});
