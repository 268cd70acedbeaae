import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { suspendApplication } from '../../../src/access/store/applications.ts';
import { eventually } from '../../harness/eventually.ts';
import { assertError, begin, type Journey } from '../../harness/journey.ts';
import {
  type CallInput,
  daysAhead,
  guest,
  type Partner,
  requestOf,
} from '../../harness/partner.ts';
import { aged, allOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

type Expected = readonly [status: number, code: string, reason?: string];

const missing: Expected = [401, 'unauthenticated', 'missing'];
const suspended: Expected = [401, 'unauthenticated', 'suspended'];
const forbidden: Expected = [403, 'forbidden', 'scope'];
const invalid: Expected = [400, 'invalid_input'];
const notFound: Expected = [404, 'not_found'];
const noSession: Expected = [403, 'forbidden', 'session_capability'];
const notRequired: Expected = [422, 'payment_not_required'];
const notConfigured: Expected = [503, 'not_configured'];
const limited: Expected = [429, 'rate_limited'];
const stale: Expected = [412, 'precondition_failed'];

/** Each test breaks a step and all later ones: the first in the order must refuse. */
suite('several things wrong at once', () => {
  let service: TestService;
  let partner: Partner;
  let card: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  async function refuses<Id extends OperationId>(
    expected: Expected,
    caller: Partner,
    id: Id,
    input: CallInput<Id>,
  ): Promise<void> {
    assertError(await caller.refused(id, input), expected);
  }

  const unknown = { params: { checkoutId: randomUUID() } };
  const oversized = { ...unknown, rawBody: 'x'.repeat(20_000), query: 'x=%zz' };
  const guestBody = (expectedVersion: number) => ({ expectedVersion, guest: guest() });

  /** A partner who has used up a tier, after some work that needs it. */
  async function drained<T>(work: (caller: Partner) => Promise<T>): Promise<[Partner, T]> {
    const caller = await service.partner({ quotas: { write: 4 } });
    const made = await work(caller);
    const spend = () => caller.call('reservation.checkout.create', { rawBody: '{}' });
    for (let nth = 0; nth < 4; nth += 1) await spend();
    return [caller, made];
  }

  // Spec: ERROR-3.
  test('route before token › an unknown path and method, with any token', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/site'],
    ] as const) {
      const headers = { authorization: 'Bearer wrong' };
      const response = await fetch(service.origin + path, { method, headers });
      assert.equal(response.status, 404);
    }
  });

  test('token before grant › a suspended application without any grant', async () => {
    const none = await service.partner({ grants: [] });
    await refuses(forbidden, none, 'distribution.site.get', {});
    await suspendApplication(service.database, none.credentials.applicationId, null);
    const statusNow = async () => (await none.call('distribution.site.get')).status;
    await eventually(async () => (await statusNow()) === 401);
    await refuses(suspended, none, 'reservation.checkout.saveGuest', oversized);
  });

  test('token before input › no token, and everything else wrong', async () => {
    const input = { ...oversized, token: null, headers: { 'content-type': 'text/plain' } };
    await refuses(missing, partner, 'reservation.checkout.saveGuest', input);
  });

  test('grant before input › without the grant, and everything else wrong', async () => {
    const token = await partner.freshToken({ scope: 'distribution.listing.read' });
    const wrong: CallInput<'reservation.checkout.saveGuest'>[] = [
      { ...oversized, token },
      { ...unknown, token, rawBody: '{}', headers: { 'content-type': 'text/plain' } },
      { params: { checkoutId: 'none' }, token, query: 'x=1', rawBody: '{' },
    ];
    for (const input of wrong) {
      await refuses(forbidden, partner, 'reservation.checkout.saveGuest', input);
    }
  });

  test('input before resource › at an unknown checkout without a session', async () => {
    for (const rawBody of ['{}', '{', JSON.stringify({ ...guestBody(1), x: 1 })]) {
      await refuses(invalid, partner, 'reservation.checkout.saveGuest', { ...unknown, rawBody });
    }
    const body = guestBody(1);
    const headers = { 'if-match': '*' };
    await refuses(invalid, partner, 'reservation.checkout.saveGuest', {
      ...unknown,
      body,
      headers,
    });
    await refuses(notFound, partner, 'reservation.checkout.saveGuest', { ...unknown, body });
  });

  test('input before resource › checks beyond the schema: dates, ranges, times', async () => {
    const listingId = randomUUID();
    const party = { adults: 1 };
    await refuses(invalid, partner, 'reservation.quote.create', {
      body: {
        quoteId: randomUUID(),
        listingId,
        checkIn: '2020-01-01',
        checkOut: '2020-01-02',
        party,
      },
    });
    const query = { startDate: daysAhead(1), endDate: daysAhead(200) };
    await refuses(invalid, partner, 'inventory.calendar.get', { params: { listingId }, query });
    const signal = { signalId: randomUUID(), routeFamily: 'listing' as const, listingId };
    await refuses(invalid, partner, 'cdp.signal.capture', {
      body: { ...signal, name: 'listing_viewed', occurredAt: '2020-01-01T00:00:00Z' },
    });
    await refuses(invalid, partner, 'cdp.signal.capture', {
      body: { ...signal, name: 'quote_viewed' },
    });
  });

  test('resource before session › an unknown checkout without one', async () => {
    await refuses(notFound, partner, 'reservation.checkout.get', unknown);
    const signal = { signalId: randomUUID(), routeFamily: 'checkout' as const };
    await refuses(notFound, partner, 'cdp.signal.capture', {
      body: { ...signal, name: 'checkout_started', checkoutId: randomUUID() },
    });
  });

  test('resource before settlement › a card-paying application and an unknown quote', async () => {
    const body = requestOf({ quoteId: randomUUID(), terms: { version: 'x' } });
    await refuses(notFound, card, 'reservation.reservationRequest.create', { body });
    const { quoteId } = await card.quote();
    const known = { body: { ...body, quoteId } };
    await refuses(notConfigured, card, 'reservation.reservationRequest.create', known);
  });

  test('session before settlement › a payment step of a partner-settled checkout', async () => {
    const { params } = (await begin(partner)).open.at;
    const body = { expectedVersion: 9 };
    await refuses(noSession, partner, 'reservation.checkout.setupPayment', { params, body });
  });

  test('settlement before repeat › a request made before the application was card-paying', async () => {
    const caller = await service.partner();
    const body = requestOf(await caller.quote());
    const create = () => caller.call('reservation.reservationRequest.create', { body });
    assert.equal((await create()).status, 202);
    assert.equal((await create()).status, 202);
    const { applicationId } = caller.credentials;
    const text = `UPDATE applications SET settlement = 'card' WHERE application_id = $1`;
    await sql(service.database, text, [applicationId]);
    await eventually(async () => (await create()).status !== 202);
    await refuses(notConfigured, caller, 'reservation.reservationRequest.create', { body });
  });

  test('settlement before quota and version › a payment step, the tier used up', async () => {
    const [caller, journey] = await drained(begin);
    const body = { expectedVersion: 9 };
    const { at } = journey.open;
    await refuses(notRequired, caller, 'reservation.checkout.setupPayment', { ...at, body });
  });

  test('resource and session before quota › the tier used up', async () => {
    const [caller, journey] = await drained(begin);
    const body = guestBody(1);
    await refuses(notFound, caller, 'reservation.checkout.saveGuest', { ...unknown, body });
    const { params } = journey.open.at;
    await refuses(noSession, caller, 'reservation.checkout.saveGuest', { params, body });
    const rawBody = '{}';
    await refuses(invalid, caller, 'reservation.checkout.saveGuest', { ...unknown, rawBody });
  });

  test('repeat before quota and version › a command that took effect, the tier used up', async () => {
    const [caller, journey] = await drained(async (from) => {
      const begun = await begin(from);
      await begun.done('saveGuest');
      return begun;
    });
    const again = await journey.send('saveGuest', { body: { expectedVersion: 1 } });
    assert.equal(again.status, 200);
    // The same checkout, other input: not a repeat.
    const body = { expectedVersion: 1, guest: guest('other') };
    const { at } = journey.open;
    await refuses(limited, caller, 'reservation.checkout.saveGuest', { ...at, body });
  });

  test('quota before version and state › the tier used up', async () => {
    const [caller, journey] = await drained(begin);
    const { at, quote } = { at: journey.open.at, quote: journey.open.quote };
    const submit = { termsVersion: 'wrong', termsAccepted: true as const };
    for (const expectedVersion of [9, 1]) {
      const body = { expectedVersion, ...submit };
      await refuses(limited, caller, 'reservation.checkout.submit', { ...at, body });
    }
    await aged.quote(service.database, quote.quoteId);
    const body = { expectedVersion: 1, ...submit };
    await refuses(limited, caller, 'reservation.checkout.submit', { ...at, body });
    // The quota step came first, so the expired quote did not expire the checkout.
    assert.equal((await journey.status()).state, 'needs_guest');
  });

  test('quota before conflict › another input under a known ID, the tier used up', async () => {
    const [caller, journey] = await drained(begin);
    const { quoteId } = await caller.quote();
    const body = { checkoutId: journey.checkoutId, quoteId };
    await refuses(limited, caller, 'reservation.checkout.create', { body });
  });

  test('version before state › submit with a stale version, the guest missing', async () => {
    const journey: Journey = await begin(card);
    await journey.refused('submit', stale, { body: { expectedVersion: 2 } });
    await journey.refused('submit', [409, 'invalid_state']);
  });

  test('version before the quote › a stale version does not expire the checkout', async () => {
    const journey = await begin(card);
    await aged.quote(service.database, journey.open.quote.quoteId);
    const untouched = await allOf(service.database, journey.checkoutId);
    await journey.refused('saveGuest', stale, { body: { expectedVersion: 2 } });
    assert.deepEqual(await allOf(service.database, journey.checkoutId), untouched);
    await journey.refused('saveGuest', [409, 'quote_expired']);
  });

  test('state before everything else › other terms, an unknown code, another setup', async () => {
    const journey = await begin(card);
    const wrongTerms = { body: { termsVersion: 'wrong' } };
    await journey.refused('submit', [409, 'invalid_state'], wrongTerms);
    const wrongSetup = { body: { setupReference: 'wrong' } };
    await journey.refused('verifyPayment', [409, 'invalid_state'], wrongSetup);
    const settled = await begin(partner);
    await settled.done('saveGuest');
    await settled.refused('submit', [409, 'conflict', 'terms_version'], wrongTerms);
    await settled.done('submit');
    const unknownCode = { body: { code: 'NO-SUCH-CODE' } };
    await settled.refused('applyPromo', [409, 'invalid_state'], unknownCode);
  });
});
