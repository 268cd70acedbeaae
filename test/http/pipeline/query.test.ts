import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, invalidFields, invalidPaths, wellFormed } from '../../harness/well-formed.ts';

const list = 'distribution.listing.list';
const id = '01a406c7-566a-7c77-a1e5-969f7edd4981';
const pagedIds: OperationId[] = operationIds.filter((one) => rowOf(one).query?.properties['limit']);

suite('query', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const paths = (query: string, one: OperationId = list) =>
    invalidPaths(partner, one, { ...inputOf(wellFormed(one)), query });

  for (const query of [
    'limit=1&limit=2',
    'limit=1&limit=1',
    'limit=1&%6Cimit=2',
    'limit=1&cursor=&limit=',
    'limit&limit=1',
  ]) {
    // Spec: CALL-9.
    test(`400 invalid_input › given twice › ${query}`, async () => {
      assert.deepEqual(await paths(query), ['query/limit']);
    });
  }

  for (const one of pagedIds) {
    test(`${one} › 400 invalid_input › every parameter given twice`, async () => {
      for (const name of Object.keys(rowOf(one).query?.properties ?? {})) {
        const reported = await paths(`${name}=a&${name}=a`, one);
        assert.ok(reported.includes(`query/${name}`));
      }
    });

    test(`${one} › 400 invalid_input › limit`, async () => {
      const { maximum = 50 } = rowOf(one).query!.properties['limit'] as { maximum?: number };
      const wrong = [
        '0',
        String(maximum + 1),
        '-1',
        '1.5',
        '1e1',
        '0x5',
        '%2B5',
        '+5',
        '5+',
        'five',
        '99999999999999999',
        'NaN',
      ];
      for (const limit of wrong) {
        assert.deepEqual(await paths(`limit=${limit}`, one), ['query/limit'], limit);
      }
      for (const limit of [1, maximum])
        await partner.succeed(one, { query: `limit=${limit}` }, 200);
    });

    test(`${one} › 400 invalid_input › cursor`, async () => {
      for (const cursor of ['a.b', 'a%2Bb', 'a%20b', 'a+b', '%C3%A9', 'a'.repeat(1025), 'a=']) {
        assert.deepEqual(await paths(`cursor=${cursor}`, one), ['query/cursor'], cursor);
      }
      // Of the right form, but not one of ours.
      for (const cursor of ['a', 'a'.repeat(1024), '_-', 'null', '0']) {
        assert.deepEqual(await paths(`cursor=${cursor}`, one), ['query/cursor'], cursor);
      }
    });
  }

  test(`${list} › 200 › empty values count as absent`, async () => {
    for (const query of ['limit=&cursor=&collectionId=', 'limit&cursor&collectionId', '&&', '']) {
      const page = await partner.succeed(list, { query }, 200);
      assert.equal(page.items.length, 20, 'the default');
    }
  });

  for (const one of pagedIds.filter((other) => other !== list)) {
    test(`${one} › 400 invalid_input › empty values`, async () => {
      const names = Object.keys(rowOf(one).query?.properties ?? {});
      const reported = await paths(names.map((name) => `${name}=`).join('&'), one);
      assert.deepEqual(reported, names.map((name) => `query/${name}`).toSorted());
    });
  }

  const malformed = ['limit=%', 'limit=%1', 'limit=%zz', 'limit=%C3%28', '%zz=1', 'limit=5&x%'];
  for (const query of malformed) {
    // Spec: CALL-6.
    test(`400 invalid_input › percent-encoding › ${query}`, async () => {
      const input = { ...inputOf(wellFormed(list)), query };
      const fields = await invalidFields(partner, list, input);
      assert.ok(fields.some(({ message }) => message === 'is not percent-encoded UTF-8'));
    });
  }

  test('400 invalid_input › percent-encoding › at every operation, in the query', async () => {
    for (const one of operationIds) {
      const input = inputOf(wellFormed(one));
      const query = [input.query, 'limit=%zz'].filter(Boolean).join('&');
      const reported = await invalidPaths(partner, one, { ...input, query });
      assert.ok(reported.includes('query/limit'), one);
    }
  });

  test('200 › a percent-encoded name and value', async () => {
    const page = await partner.succeed(list, { query: '%6Cimit=%33' }, 200);
    assert.equal(page.items.length, 3);
  });

  test('200 › a space is + or %20, and a plus is %2B', async () => {
    await partner.request(undefined, { partnerReference: 'order 7+1' });
    const found = async (text: string) => {
      const input = { query: `partnerReference=${text}` };
      return (await partner.succeed('reservation.reservationRequest.list', input)).items.length;
    };
    const counts = [
      await found('order+7%2B1'),
      await found('order%207%2B1'),
      await found('order+7+1'),
    ];
    assert.deepEqual(counts, [1, 1, 0]);
  });

  const withPath = operationIds.filter((one) => rowOf(one).params);
  for (const one of withPath) {
    test(`${one} › 400 invalid_input › percent-encoding in the path`, async () => {
      const { method, path } = rowOf(one);
      const { body } = wellFormed(one);
      for (const part of ['%', '%zz', '%C3%28', 'a%', '%ED%A0%80', `${id}%f`]) {
        const response = await fetch(service.origin + path.replace(/\{\w+\}/, part), {
          method,
          headers: {
            authorization: `Bearer ${await partner.token()}`,
            'content-type': 'application/json',
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        assert.equal(response.status, 400, part);
        const { error } = (await response.json()) as {
          error: { details: { fields: { path: string }[] } };
        };
        assert.ok(error.details.fields.some((field) => field.path === 'path'));
      }
    });
  }
});
