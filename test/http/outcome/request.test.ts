import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import type { ReservationRequest } from '../../../src/contract/partner/schemas/reservation.ts';
import { quoteOf } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { eventsOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { aboutFiveSeconds, endings, eventsOfEnding, type Ending } from './suffixes.ts';

type State = ReservationRequest['state'];
const settled: State[] = ['confirmed', 'failed'];

suite('outcomes of a reservation request', { concurrency: true }, () => {
  let service: TestService;
  let partner: Partner;

  before(async () => {
    service = await startTestService();
    partner = await service.partner();
  });
  after(() => service.stop());

  async function create(suffix: string): Promise<ReservationRequest> {
    return partner.request(await quoteOf(partner), { guest: guest(suffix) });
  }

  const read = ({ reservationRequestId }: ReservationRequest) =>
    partner.succeed('reservation.reservationRequest.get', { params: { reservationRequestId } });

  async function once(request: ReservationRequest, states: State[], withinMs = 15_000) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const now = await read(request);
      if (states.includes(now.state)) return now;
      assert.ok(performance.now() < deadline, `still ${now.state} after ${withinMs} ms`);
      await sleep(25);
    }
  }

  const events = async ({ reservationRequestId }: ReservationRequest) =>
    (await eventsOf(service.database, partner.credentials.applicationId)).filter(
      ({ data }) => data['checkoutId'] === reservationRequestId,
    );

  async function assertEnded(request: ReservationRequest, ending: Ending): Promise<void> {
    const { request: state, reason, nextActions } = ending;
    const now = await read(request);
    assert.equal(now.state, state);
    assert.equal(now.failure?.reason, reason);
    const isChange = reason === 'price_changed' || reason === 'policy_changed';
    assert.equal(Object.keys(now.failure ?? {}).length > 1, isChange);
    assert.deepEqual(now.nextActions, nextActions);
    assert.equal(now.pollAfterSeconds, nextActions.includes('poll') ? 1 : undefined);
    assert.equal(now.reference !== null, state === 'confirmed');
    assert.equal(now.version, ending.late ? 3 : 2);
    const caused = await events(request);
    assert.deepEqual(
      caused.map(({ type, data }) => `${type} ${String(data['state'])}`),
      eventsOfEnding(state),
    );
    const [resolved, confirmed] = caused;
    if (resolved) {
      assert.equal(resolved.data['version'], now.version);
      assert.equal(resolved.data['reference'] ?? null, now.reference);
    }
    if (confirmed) assert.equal(confirmed.data['reference'], now.reference);
  }

  for (const ending of endings) {
    const { suffix, request: state, reason = '', late } = ending;
    // Spec: SIMULATION-1.
    test(`+${suffix} › request › ${late ? 'unresolved, then ' : ''}${state} ${reason}`, async () => {
      const request = await create(suffix);
      const since = performance.now();
      assert.equal(request.state, 'pending');
      if (late) {
        const unresolved = await once(request, ['unresolved'], 4_000);
        assert.equal(unresolved.failure, undefined);
        assert.deepEqual(unresolved.nextActions, ['poll']);
        assert.deepEqual(await events(request), []);
        await once(request, settled);
        const took = performance.now() - since;
        assert.ok(took > aboutFiveSeconds.min && took < aboutFiveSeconds.max, `${took} ms`);
      } else {
        await once(request, state === 'unresolved' ? ['unresolved'] : settled, 5_000);
      }
      await assertEnded(request, ending);
      if (state !== 'unresolved') return;
      await sleep(aboutFiveSeconds.min + 1_500);
      await assertEnded(request, ending);
    });
  }
});
