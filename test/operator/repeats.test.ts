/** Creates of the operator's API that are sent again with the same `Idempotency-Key`. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operatorOperations, operatorRowOf } from '../../src/contract/operator/operations.ts';
import type { AnyOperatorInput, Operator } from '../harness/operator.ts';
import { signedIn } from '../harness/staff-member.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

type Id = Parameters<Operator['send']>[0];

const withKey = (key: string) => ({ 'idempotency-key': key });

suite("creates of the operator's API › Idempotency-Key", () => {
  let service: TestService;
  let staff: Operator;
  let applicationId: string;
  let slug: string;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = (await signedIn(service)).operator;
    ({ applicationId } = (await service.partner()).credentials);
    const { items } = await staff.done('operator.listing.list', { query: {} });
    slug = items[0]!.slug;
  });
  after(() => service.stop());

  const application = (name: string): AnyOperatorInput => ({
    body: { name, settlement: 'partner', grants: ['catalog'] },
  });
  const count = async (name: string): Promise<number> => {
    const text = 'SELECT FROM applications WHERE name = $1';
    return (await sql(service.database, text, [name])).length;
  };

  /** A call of each, other than those that only a member may make. */
  const creates: Partial<Record<Id, () => AnyOperatorInput>> = {
    'operator.application.create': () => application('Every'),
    'operator.application.portalLink': () => ({ params: { applicationId }, body: {} }),
    'operator.key.issue': () => ({ params: { applicationId }, body: {} }),
    'operator.endpoint.add': () => ({
      params: { applicationId },
      body: { url: 'http://127.0.0.1:9/hook' },
    }),
    'operator.block.add': () => ({
      body: { listing: slug, from: '2027-03-01', to: '2027-03-04' },
    }),
    'operator.channelCalendar.add': () => ({
      body: { listing: slug, url: 'http://127.0.0.1:9/feed.ics' },
    }),
    'operator.promotion.add': () => ({
      body: { promotion: { code: 'ONCE', label: 'Once', percent: 10 } },
    }),
  };

  for (const [id, input] of Object.entries(creates) as [Id, () => AnyOperatorInput][]) {
    // Spec: OPERATOR-13.
    test(`${id} › 200 › a repeat gets what was created, without its secret`, async () => {
      const first = await staff.send(id, input(), withKey(`key-of-${id}`));
      assert.equal(first.status, 201, JSON.stringify(first.body));
      const again = await staff.send(id, input(), withKey(`key-of-${id}`));
      assert.equal(again.status, 200);
      const hidden = operatorRowOf(id).repeatHides ?? [];
      const shown = Object.entries(first.body as object).filter(([name]) => !hidden.includes(name));
      assert.deepEqual(again.body, Object.fromEntries(shown));
    });
  }

  test('every operation that creates something takes it', () => {
    const without = Object.entries(operatorOperations)
      .filter(([, row]) => '201' in row.reply && !('public' in row) && !('repeatHides' in row))
      .map(([id]) => id);
    // The account of the caller; bytes, which have one name for each content; and what its system has named.
    assert.deepEqual(without.toSorted(), [
      'operator.account.beginSecondFactor',
      'operator.outsideStay.put',
      'operator.picture.upload',
    ]);
  });

  test('409 › different_input › the same key for another input', async () => {
    await staff.send('operator.application.create', application('First'), withKey('other'));
    const other = await staff.send(
      'operator.application.create',
      application('Second'),
      withKey('other'),
    );
    assert.equal(other.status, 409);
    assert.deepEqual((other.body as { error: { details: object } }).error.details, {
      reason: 'different_input',
    });
    assert.equal(await count('Second'), 0);
  });

  test('201 › the key of somebody else, or of another operation, is another one', async () => {
    const somebody = (await signedIn(service)).operator;
    const headers = withKey('shared');
    const input = application('Twice');
    for (const caller of [staff, somebody]) {
      assert.equal((await caller.send('operator.application.create', input, headers)).status, 201);
    }
    const params = { applicationId };
    const link = { params, body: {} };
    assert.equal((await staff.send('operator.application.portalLink', link, headers)).status, 201);
    assert.equal(await count('Twice'), 2);
  });

  test('of equal creates at the same time one creates', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        staff.send('operator.application.create', application('Race'), withKey('race')),
      ),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 201]);
    const ids = new Set(
      replies.map(({ body }) => (body as { applicationId: string }).applicationId),
    );
    assert.equal(ids.size, 1);
    assert.equal(await count('Race'), 1);
  });

  test('a refused create does not use its key', async () => {
    const wrong = { body: { ...application('Later').body, catalog: 'nowhere' } };
    const refused = await staff.send('operator.application.create', wrong, withKey('later'));
    assert.equal(refused.status, 404);
    const right = await staff.send(
      'operator.application.create',
      application('Later'),
      withKey('later'),
    );
    assert.equal(right.status, 201);
  });

  test('after a day, the key is free', async () => {
    const input = application('Tomorrow');
    await staff.send('operator.application.create', input, withKey('day'));
    await sql(
      service.database,
      `UPDATE keyed_creates SET created_at = created_at - interval '24 hours 1 second'`,
    );
    const { status } = await staff.send('operator.application.create', input, withKey('day'));
    assert.equal(status, 201);
    assert.equal(await count('Tomorrow'), 2);
  });

  test('400 › a key that is not 1 to 255 visible characters', async () => {
    for (const key of ['a b', 'x'.repeat(256)]) {
      const input = application('Never');
      const { status } = await staff.send('operator.application.create', input, withKey(key));
      assert.equal(status, 400);
    }
    assert.equal(await count('Never'), 0);
  });
});
