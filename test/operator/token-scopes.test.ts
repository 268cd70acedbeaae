/** Tokens of scripts with less than their role, which make nothing that outlives them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Operator, operatorOf, operatorWith } from '../harness/operator.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { signedIn } from '../harness/staff-member.ts';

suite('operator.token', () => {
  let service: TestService;
  let member: Operator;
  let slug: string;
  before(async () => {
    service = await startTestService(ownHomes);
    member = (await signedIn(service)).operator;
    slug = (await member.done('operator.catalog.list')).items[0]!.slug;
  });
  after(() => service.stop());

  const reasonOf = (refused: { status: number; details?: unknown }) =>
    `${refused.status} ${(refused.details as { reason: string }).reason}`;

  // Spec: OPERATOR-15.
  test('issue › 201 › with some scopes of its role, and no others', async () => {
    const issued = await member.done('operator.token.issue', {
      body: { name: 'prices', role: 'content', scopes: ['inventory'] },
    });
    assert.deepEqual(issued.scopes, ['inventory']);
    const script = operatorWith(service, 'token prices', {
      authorization: `Bearer ${issued.token}`,
    });
    await script.done('operator.rate.setBulk', { body: { rates: [] } });
    const read = await script.refused('operator.reservation.list', { query: {} });
    assert.equal(reasonOf(read), '403 scope');
    const money = await script.refused('operator.application.list', { query: {} });
    assert.match(reasonOf(money), /403 (?:scope|role)/);
    const { items } = await member.done('operator.token.list');
    assert.deepEqual(items.find(({ name }) => name === 'prices')?.scopes, ['inventory']);
  });

  test('issue › 400 › a scope that its role does not have', async () => {
    const refused = await member.refused('operator.token.issue', {
      body: { name: 'too much', role: 'viewer', scopes: ['money'] },
    });
    assert.equal(refused.status, 400);
  });

  // Spec: OPERATOR-15.
  test('a promotion by a token › 403 step_up › added, changed, resumed or imported', async () => {
    const promotion = { code: 'ALLFREE', label: 'Free', percent: 100 };
    await member.done('operator.promotion.add', { body: { catalog: slug, promotion } });
    const script = await operatorOf(service);
    const params = { code: 'ALLFREE' };
    const tried = [
      script.refused('operator.promotion.add', {
        body: { catalog: slug, promotion: { ...promotion, code: 'OTHER' } },
      }),
      script.refused('operator.promotion.change', { params, body: { promotion } }),
      script.refused('operator.promotion.resume', { params, body: {} }),
    ];
    for (const refused of await Promise.all(tried)) assert.equal(reasonOf(refused), '403 step_up');
    const exported = (await member.done('operator.catalog.export', {
      params: { catalog: slug },
    })) as unknown as { promotions: object[]; listings: object[] };
    const unchanged = JSON.stringify(exported);
    await script.done('operator.catalog.import', { body: { file: unchanged } });
    const { promotions } = exported;
    const file = JSON.stringify({
      ...exported,
      promotions: [...promotions, { ...promotion, code: 'MINE' }],
    });
    const refused = await script.refused('operator.catalog.import', { body: { file } });
    assert.equal(reasonOf(refused), '403 step_up');
    await script.done('operator.promotion.pause', { params, body: {} });
    await member.done('operator.catalog.import', { body: { file } });
  });
});
