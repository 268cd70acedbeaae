/** Killed in the middle of bookings: what was acknowledged comes about, once, and events have no gap. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Event } from '../../src/contract/partner/schemas/event.ts';
import { postmasterOf, withDatabaseOf } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { type Partner, requestOf } from '../harness/partner.ts';
import { registerPartner } from '../harness/registration.ts';
import { serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const checkouts = 40;
const requests = 20;
const acknowledgedBeforeKill = 8;
// A claim of the killed worker ends with its lease.
const resolvedWithinMs = 30_000;

/** A booking that can be submitted. */
interface Prepared {
  bookingId: string;
  /** Resolves to the status of the response; undefined: there was none. */
  submit(): Promise<number | undefined>;
  state(): Promise<string | undefined>;
}

const answered = (call: Promise<{ status: number }>): Promise<number | undefined> =>
  call.then(
    ({ status }) => status,
    () => undefined,
  );

async function prepareCheckout(partner: Partner): Promise<Prepared> {
  const open = await partner.readyCheckout();
  const termsVersion = open.quote.terms.version;
  const body = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
  return {
    bookingId: open.created.checkoutId,
    submit: () => answered(partner.call('reservation.checkout.submit', { ...open.at, body })),
    state: async () => (await partner.succeed('reservation.checkout.getStatus', open.at)).state,
  };
}

async function prepareRequest(partner: Partner): Promise<Prepared> {
  const body = requestOf(await partner.quote());
  const { reservationRequestId } = body;
  const at = { params: { reservationRequestId } };
  return {
    bookingId: reservationRequestId,
    submit: () => answered(partner.call('reservation.reservationRequest.create', { body })),
    async state() {
      const { status, body: found } = await partner.call('reservation.reservationRequest.get', at);
      return status === 404 ? undefined : (found as { state: string }).state;
    },
  };
}

/** One after the other, because only the submits must come at once: on a loaded machine, calls that wait are refused. */
async function prepare(partner: Partner): Promise<Prepared[]> {
  const bookings: Prepared[] = [];
  for (let left = checkouts; left > 0; left -= 1) bookings.push(await prepareCheckout(partner));
  for (let left = requests; left > 0; left -= 1) bookings.push(await prepareRequest(partner));
  return bookings;
}

/** Submits everything at once, and kills when some of it is acknowledged; returns what was. */
async function submitUnderFire(bookings: Prepared[], kill: () => void): Promise<Prepared[]> {
  const acknowledged: Prepared[] = [];
  await Promise.all(
    bookings.map(async (booking) => {
      if ((await booking.submit()) !== 202) return;
      acknowledged.push(booking);
      if (acknowledged.length === acknowledgedBeforeKill) kill();
    }),
  );
  return acknowledged;
}

async function feed(partner: Partner): Promise<Event[]> {
  const events: Event[] = [];
  for (let query: { limit: number; cursor?: string } = { limit: 50 }; ;) {
    const page = await partner.succeed('reservation.event.list', { query });
    events.push(...page.items);
    if (!page.hasMore) return events;
    query = { limit: 50, cursor: page.nextCursor };
  }
}

const resolvedIn = (events: Event[], bookingId: string): number =>
  events.filter(({ type, data }) => type === 'checkout.resolved' && data.checkoutId === bookingId)
    .length;

/** The tests of a kill, for each killed process. */
function describeKill(
  name: string,
  kill: (service: ServiceProcess) => Promise<() => void>,
  checkEnd: (service: ServiceProcess) => Promise<void>,
): void {
  describe(name, { concurrency: false }, () => {
    let partner: Partner;
    let bookings: Prepared[];
    let acknowledged: Prepared[];
    let service: ServiceProcess;

    before(async () => {
      const dataDir = await dataFolders.usedFolder();
      service = await serve({ dataDir });
      partner = await withDatabaseOf(dataDir, (database) =>
        registerPartner(database, service.origin),
      );
      bookings = await prepare(partner);
      acknowledged = await submitUnderFire(bookings, await kill(service));
      assert.ok(acknowledged.length >= acknowledgedBeforeKill);
    });

    it('ends the process', () => checkEnd(service));

    it('starts again on the same folder, and acknowledged bookings are resolved', async () => {
      const { dataDir, port } = service;
      service = await serve({ dataDir, port });
      await eventually(
        async () => {
          const states = await Promise.all(acknowledged.map(({ state }) => state()));
          return states.every((state) => state === 'confirmed');
        },
        resolvedWithinMs,
        250,
      );
    });

    it('resolves nothing twice; unacknowledged bookings can be submitted again', async () => {
      await eventually(
        async () => {
          const states = await Promise.all(bookings.map(({ state }) => state()));
          return !states.includes('pending');
        },
        resolvedWithinMs,
        250,
      );
      const events = await feed(partner);
      for (const { bookingId, state } of bookings) {
        const wanted = (await state()) === 'confirmed' ? 1 : 0;
        assert.equal(resolvedIn(events, bookingId), wanted);
      }
      const left = [];
      for (const booking of bookings)
        if ((await booking.state()) !== 'confirmed') left.push(booking);
      const again = await Promise.all(left.map(({ submit }) => submit()));
      assert.deepEqual(
        again.filter((status) => status !== 202),
        [],
      );
    });

    it('numbers the events without a gap', async () => {
      await eventually(
        async () => (await feed(partner)).length === 2 * bookings.length,
        resolvedWithinMs,
        250,
      );
      const sequences = (await feed(partner)).map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        sequences.map((_, index) => index + 1),
      );
      assert.deepEqual(await service.stop(), { code: 0, signal: null });
      assert.equal(await postmasterOf(service.dataDir), null);
    });
  });
}

// At the same time, because both wait for the lease of the killed worker.
describe('killed in the middle of bookings', { concurrency: true }, () => {
  describeKill(
    'kill -9 of the service',
    async (service) => () => service.kill('SIGKILL'),
    async (service) => {
      assert.deepEqual(await service.ended, { code: null, signal: 'SIGKILL' });
      assert.ok(await postmasterOf(service.dataDir), 'its PostgreSQL has outlived it');
    },
  );

  describeKill(
    'kill -9 of its PostgreSQL',
    async ({ dataDir }) => {
      const pid = await postmasterOf(dataDir);
      assert.ok(pid);
      return () => process.kill(pid, 'SIGKILL');
    },
    async (service) => {
      assert.deepEqual(await service.ended, { code: 1, signal: null });
      const said = service.log().find(({ msg }) => msg === 'stopping');
      assert.equal(said?.['level'], 'error');
      assert.match(String(said?.['reason']), /^PostgreSQL was ended by SIGKILL; its log is /);
    },
  );
});
