/** From the portal to the endpoint and back: the portal shows what arrived. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
let receiver: Receiver;
let endpointId: string;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  caller = await enterPortal(service, partner);
  receiver = await Receiver.start(respond(200, {}, 'accepted'));
  const url = receiver.url();
  ({ endpointId } = await caller.succeed('portal.endpoint.add', { body: { url } }));
});
after(async () => {
  await receiver.close();
  await service.stop();
});

/** The delivery of an event, once it has arrived and is written down. */
async function delivered(eventId: string) {
  const find = async () => {
    const { items } = await caller.succeed('portal.delivery.list', { query: { endpointId } });
    return items.find((one) => one.eventId === eventId && one.state === 'delivered');
  };
  await eventually(async () => (await find()) !== undefined, 15_000);
  const { deliveryId } = (await find())!;
  return caller.succeed('portal.delivery.get', { params: { deliveryId } });
}

describe('a delivery to an endpoint of the portal', () => {
  it('is shown as it arrived, byte for byte, with the response', async () => {
    await requestStay(partner, await partner.freeStay());
    await eventually(async () => receiver.arrivals.length === 2, 15_000);
    for (const { headers, body } of receiver.arrivals) {
      const { lastRequest, attemptsMade, event } = await delivered(String(headers['webhook-id']));
      assert.equal(lastRequest?.body, body);
      assert.deepEqual(JSON.parse(body), event);
      assert.equal(lastRequest.headers['webhook-id'], headers['webhook-id']);
      const apart =
        Number(lastRequest.headers['webhook-timestamp']) - Number(headers['webhook-timestamp']);
      assert.ok(Math.abs(apart) <= 1, `${apart} seconds`);
      const [attempt] = attemptsMade;
      assert.deepEqual(
        [attempt?.status, attempt?.error, attempt?.response],
        [200, null, 'accepted'],
      );
    }
  });

  it('of a test event arrives quickly, without a sequence', async () => {
    const { eventId } = await caller.succeed('portal.endpoint.test', {
      params: { endpointId },
      body: { type: 'reservation.cancelled' },
    });
    const { lastRequest, test } = await delivered(eventId);
    const arrival = receiver.arrivals.find(({ headers }) => headers['webhook-id'] === eventId);
    assert.equal(test, true);
    assert.equal(lastRequest?.body, arrival?.body);
    assert.ok(!('sequence' in (JSON.parse(arrival?.body ?? '{}') as object)));
  });

  it('is repeated by a replay with the same ID', async () => {
    const { items } = await caller.succeed('portal.delivery.list', { query: { endpointId } });
    const { deliveryId, eventId } = items.at(-1)!;
    const count = () =>
      receiver.arrivals.filter(({ headers }) => headers['webhook-id'] === eventId).length;
    const earlier = count();
    await caller.succeed('portal.delivery.replay', { params: { deliveryId }, body: {} });
    await eventually(async () => count() === earlier + 1, 15_000);
    await eventually(async () => (await delivered(eventId)).attemptsMade.length === 2, 15_000);
  });

  it('waits while the endpoint is paused, and is sent when it is resumed', async () => {
    const params = { endpointId };
    await caller.succeed('portal.endpoint.pause', { params, body: {} });
    const earlier = receiver.arrivals.length;
    await requestStay(partner, await partner.freeStay());
    await eventually(async () => {
      const { missed } = await caller.succeed('portal.endpoint.get', { params });
      return missed === 2;
    }, 15_000);
    assert.equal(receiver.arrivals.length, earlier);
    await caller.succeed('portal.endpoint.resume', { params, body: { missed: 'replay' } });
    await eventually(async () => receiver.arrivals.length === earlier + 2, 15_000);
  });
});
