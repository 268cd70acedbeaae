/** If the supplier does not respond, only search, calendar and quote are refused, in time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import { guest, type CallError, type CallReply, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import type { Availability } from '../../../src/inventory/index.ts';
import type { Supply } from '../../../src/bookings/ports/supply.ts';

const atOnce = 128;
const deadlineMs = 5_000;
// Nobody waits for ever, also where a test has failed.
const shutAtMostMs = 60_000;

/** A supply whose live reads wait at a gate while it is shut. */
class Gate {
  asked = 0;
  #opening: PromiseWithResolvers<void> | null = null;

  shut(): void {
    const opening = Promise.withResolvers<void>();
    setTimeout(() => this.#opening === opening && this.open(), shutAtMostMs).unref();
    this.#opening = opening;
    this.asked = 0;
  }

  get isShut(): boolean {
    return this.#opening !== null;
  }

  open(): void {
    this.#opening?.resolve();
    this.#opening = null;
  }

  async #pass(): Promise<void> {
    this.asked += 1;
    await this.#opening?.promise;
  }

  before(supply: Supply): Supply {
    return {
      ...supply,
      openNights: async (...asked) => {
        await this.#pass();
        return supply.openNights(...asked);
      },
    };
  }

  beforeSearches(availability: Availability): Availability {
    return {
      ...availability,
      openNights: async (...asked) => {
        await this.#pass();
        return availability.openNights(...asked);
      },
      freeHomes: async (...asked) => {
        await this.#pass();
        return availability.freeHomes(...asked);
      },
    };
  }
}

describe('live reads', () => {
  const gate = new Gate();
  let filling: Promise<CallReply>[] = [];
  let service: TestService;
  let partner: Partner;
  let quoted: Quote;
  let stay: Awaited<ReturnType<Partner['freeStay']>>;

  before(async () => {
    service = await startTestService(
      {},
      {
        changeSupply: (simulated) => gate.before(simulated),
        changeAvailability: (simulated) => gate.beforeSearches(simulated),
      },
    );
    partner = await service.partner();
    stay = await partner.freeStay();
    quoted = await partner.quote(stay);
  });
  afterEach(async () => {
    gate.open();
    await Promise.all(filling);
  });
  after(() => service.stop());

  const search = () => {
    const { checkIn, checkOut, party } = stay;
    return {
      id: 'distribution.listing.search',
      input: { body: { checkIn, checkOut, party } },
    } as const;
  };
  const calendar = () => {
    const query = { startDate: stay.checkIn, endDate: stay.checkOut };
    const params = { listingId: stay.listingId };
    return { id: 'inventory.calendar.get', input: { params, query } } as const;
  };
  const quote = () => {
    const body = { quoteId: randomUUID(), ...stay };
    return { id: 'reservation.quote.create', input: { body } } as const;
  };
  const kinds = { search, calendar, quote };

  const liveCall = (kind: keyof typeof kinds) => {
    const { id, input } = kinds[kind]();
    return partner.call(id, input);
  };
  const refusedCall = (kind: keyof typeof kinds): Promise<CallError> => {
    const { id, input } = kinds[kind]();
    return partner.refused(id, input);
  };

  /** As many as there are places, waiting at the gate. */
  async function fill(): Promise<Promise<CallReply>[]> {
    gate.shut();
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    filling = Array.from({ length: atOnce }, (_, index) => liveCall(names[index % 3]!));
    await eventually(async () => gate.asked === atOnce);
    return filling;
  }

  function assertBusy({ status, code, retryAfterSeconds, headers }: CallError): void {
    assert.deepEqual({ status, code }, { status: 503, code: 'unavailable' });
    assert.equal(retryAfterSeconds, 1);
    assert.equal(headers.get('retry-after'), '1');
  }

  describe('503 unavailable', () => {
    // Spec: QUOTA-7.
    it('search, calendar and quote share 128 slots; the next is refused at once, not queued', async () => {
      // On a loaded machine, the first calls may be late before the last has come: then it is done again.
      await eventually(async () => {
        const calls = await fill();
        let answered = 0;
        for (const call of calls) void call.then(() => (answered += 1));
        for (const kind of ['search', 'calendar', 'quote'] as const)
          assertBusy(await refusedCall(kind));
        // In a queue they would be refused after those that have waited for longer.
        const isAtOnce = answered === 0;
        assert.equal(gate.asked, atOnce);
        gate.open();
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        return isAtOnce && statuses.every((status) => status < 300);
      }, shutAtMostMs);
      for (const kind of ['search', 'calendar', 'quote'] as const) {
        assert.ok((await liveCall(kind)).status < 300);
      }
    });

    it('after five seconds; the slots stay in use until the supplier responds', async () => {
      const begin = performance.now();
      const calls = await fill();
      const ends = Promise.race(calls).then(() => performance.now());
      // A timer of this process, which is as late as its other timers are.
      const tooLate = sleep(2 * deadlineMs, null, { ref: false });
      const answers = await Promise.race([Promise.all(calls), tooLate]);
      assert.ok(answers, 'a call waits for the supplier');
      assert.ok(gate.isShut);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]));
      const ms = (await ends) - begin;
      assert.ok(ms > deadlineMs - 100, `${ms} ms`);
      assertBusy(await refusedCall('calendar'));
      assert.equal(gate.asked, atOnce);
      gate.open();
      await eventually(async () => (await liveCall('calendar')).status === 200);
    });

    it('no quote was created: the same quote can be requested again', async () => {
      await fill();
      const { id, input } = quote();
      assertBusy(await partner.refused(id, input));
      const body = { checkoutId: randomUUID(), quoteId: input.body.quoteId };
      const { code } = await partner.refused('reservation.checkout.create', { body });
      assert.equal(code, 'not_found');
      gate.open();
      await eventually(async () => (await partner.call(id, input)).status === 201);
    });
  });

  it('blocked live reads block nothing else: catalog, repeats and complete bookings work', async () => {
    await fill();
    await partner.succeed('distribution.site.get');
    await partner.succeed('distribution.listing.list');
    await partner.succeed('distribution.listing.get', { params: { listingId: stay.listingId } });
    const { quoteId } = quoted;
    await partner.succeed('reservation.quote.create', { body: { quoteId, ...stay } }, 200);
    const open = await partner.checkout(quoted);
    const saved = { expectedVersion: 1, guest: guest() };
    await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body: saved });
    const termsVersion = quoted.terms.version;
    const submitted = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
    await partner.succeed('reservation.checkout.submit', { ...open.at, body: submitted }, 202);
    await partner.statusOnce(open, ['confirmed']);
    await partner.succeed('reservation.checkout.get', open.at);
    const { reference } = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    await partner.succeed('reservation.reservation.get', { params: { reference } });
    await partner.succeed('reservation.event.list');
    assert.equal(gate.asked, atOnce);
  });
});
