/** Two members of staff edit the same thing: what one has not seen, it does not overwrite. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import type { Operator } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { signedIn } from '../harness/staff-member.ts';

const precondition = (refused: { status: number; code: string }): void =>
  assert.deepEqual([refused.status, refused.code], [412, 'precondition_failed']);

suite('edits of staff › what was seen', () => {
  let service: TestService;
  let staff: Operator;
  let applicationId: string;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = (await signedIn(service)).operator;
    ({ applicationId } = (await service.partner()).credentials);
  });
  after(() => service.stop());

  const params = () => ({ applicationId });
  const application = () => staff.done('operator.application.get', { params: params() });

  test('an application › 412 › somebody has changed its grants', async () => {
    const { version: expectedVersion } = await application();
    await staff.done('operator.application.change', {
      params: params(),
      body: { grants: ['catalog', 'search'], expectedVersion },
    });
    precondition(
      await staff.refused('operator.application.change', {
        params: params(),
        body: { grants: ['catalog', 'quotes'], expectedVersion },
      }),
    );
    const { grants, version } = await application();
    assert.deepEqual(grants, ['catalog', 'search']);
    const changed = await staff.done('operator.application.change', {
      params: params(),
      body: { grants: ['catalog', 'quotes'], expectedVersion: version },
    });
    assert.equal(changed.version, (await application()).version);
  });

  test('an application › of two changes at the same moment one is refused', async () => {
    const { version: expectedVersion } = await application();
    const changes = ['First', 'Second'].map((name) =>
      staff.send('operator.application.change', {
        params: params(),
        body: { name, expectedVersion },
      }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 412]);
  });

  test('quotas › 412 › somebody has changed them', async () => {
    const { version: expectedVersion, quotas } = await application();
    const set = (read: number) => ({ params: params(), body: { read, expectedVersion } });
    await staff.done('operator.application.setQuotas', set(quotas.read + 1));
    precondition(await staff.refused('operator.application.setQuotas', set(quotas.read + 2)));
    assert.equal((await application()).quotas.read, quotas.read + 1);
  });

  test('a promotion › 412 › it was ended; without the version it is active again, and audited so', async () => {
    const promotion = { code: 'SEEN', label: 'Seen', percent: 10, maxUses: 5 };
    const added = await staff.done('operator.promotion.add', { body: { promotion } });
    const code = { code: promotion.code };
    await staff.done('operator.promotion.end', { params: code, body: {} });
    const more = { ...promotion, maxUses: 50 };
    precondition(
      await staff.refused('operator.promotion.change', {
        params: code,
        body: { promotion: more, expectedVersion: added.version },
      }),
    );
    const changed = await staff.done('operator.promotion.change', {
      params: code,
      body: { promotion: more },
    });
    assert.equal(changed.state, 'active');
    const { items } = await staff.done('operator.audit.list', {
      query: { action: 'promotion.change', limit: 1 },
    });
    assert.equal(items[0]!.details['wasEnded'], true);
  });

  test('a promotion › 200 › uses are no change', async () => {
    const promotion = { code: 'USED', label: 'Used', percent: 10, maxUses: 5 };
    const added = await staff.done('operator.promotion.add', { body: { promotion } });
    await sql(service.database, `UPDATE promotions SET uses = 2 WHERE code = 'USED'`);
    await staff.done('operator.promotion.change', {
      params: { code: 'USED' },
      body: { promotion: { ...promotion, percent: 12 }, expectedVersion: added.version },
    });
  });

  test('a calendar › 412 › somebody has changed its options', async () => {
    const { items } = await staff.done('operator.listing.list', { query: {} });
    const { calendarId } = await staff.done('operator.channelCalendar.add', {
      body: { listing: items[0]!.slug, url: 'http://127.0.0.1:9/seen.ics' },
    });
    const { version: expectedVersion } = await staff.done('operator.channelCalendar.show', {
      params: { calendarId },
    });
    const set = (end: 'night' | 'checkout', ignore: string[]) => ({
      params: { calendarId },
      body: { end, ignore, expectedVersion },
    });
    const changed = await staff.done('operator.channelCalendar.set', set('night', []));
    precondition(await staff.refused('operator.channelCalendar.set', set('checkout', ['x'])));
    const shown = await staff.done('operator.channelCalendar.show', { params: { calendarId } });
    assert.deepEqual([shown.options.end, shown.version], ['night', changed.version]);
  });

  test('every operation that replaces members declares what was seen', () => {
    const without = Object.entries(operatorOperations)
      .filter(([, { method }]) => method === 'PATCH' || method === 'PUT')
      .filter(([, row]) => !('seen' in row))
      .map(([id]) => id);
    assert.deepEqual(without, [
      // A switch: both who set it the same way and who did not see it mean what they send.
      'operator.staff.requireSecondFactor',
      // Its system knows what it has sold, and tells it again.
      'operator.outsideStay.put',
    ]);
  });

  test('404 before 412 › nothing is compared with what does not exist', async () => {
    const refused = await staff.refused('operator.application.change', {
      params: { applicationId: randomUUID() },
      body: { name: 'Nobody', expectedVersion: 1 },
    });
    assert.equal(refused.status, 404);
  });
});
