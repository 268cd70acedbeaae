/** A home whose rates give no price that can be written down. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('reservation.quote.create › 503 unavailable › the price cannot be told; a search says null', async () => {
  const partner = await service.partner();
  const stay = await partner.freeStay();
  await service.database.query(
    {
      name: 'unpriceable',
      text: `UPDATE listings SET rates = jsonb_set(jsonb_set(rates::jsonb,
      '{weekdayNight}', '9007199254740991'), '{weekendNight}', '9007199254740991')::json
      WHERE listing_id = $1`,
    },
    [stay.listingId],
  );
  const { listingId: _, ...search } = stay;
  for (let tries = 0; ; tries += 1) {
    const { items } = await partner.succeed('distribution.listing.search', {
      body: { ...search, limit: 50 },
    });
    const found = items.find(({ listing }) => listing.listingId === stay.listingId);
    if (found?.total === null && found.currency === null) break;
    assert.ok(tries < 100, 'the price is still told');
    await sleep(50);
  }
  const body = { quoteId: randomUUID(), ...stay };
  const refusal = await partner.refused('reservation.quote.create', { body });
  assert.equal(refusal.status, 503);
  assert.equal(refusal.code, 'unavailable');
});
