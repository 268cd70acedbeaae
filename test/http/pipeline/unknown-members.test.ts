import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import {
  at,
  inputOf,
  invalidFields,
  invalidPaths,
  isObject,
  placesOf,
  takesBody,
  wellFormed,
} from '../../harness/well-formed.ts';

/** Names that are no members, and how a pointer spells them. */
const names: [name: string, spelt: string][] = [
  ['unknown', 'unknown'],
  ['QuoteId', 'QuoteId'],
  ['', ''],
  ['a/b~c', 'a~1b~0c'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['prototype', 'prototype'],
  ['toString', 'toString'],
  ['hasOwnProperty', 'hasOwnProperty'],
  ['\u0000', '\u0000'],
  ['\ud800', '\ud800'],
  ['0', '0'],
];

const queryNames = ['unknown', 'Limit', '__proto__', 'constructor', 'toString', 'a%2Fb'];

suite('400 invalid_input', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  /** The body with one more member in the object at a place; as text, so that any name can be. */
  function bodyWith(body: Record<string, unknown>, pointer: string, name: string): string {
    const mark = 'a mark that is replaced';
    const inner = pointer === '' ? body : at(body, pointer);
    (inner as Record<string, unknown>)[mark] = 1;
    return JSON.stringify(body).replace(JSON.stringify(mark), JSON.stringify(name));
  }

  for (const id of operationIds.filter(takesBody)) {
    for (const { pointer } of placesOf(id).filter(isObject)) {
      // Spec: CALL-2.
      test(`${id} › unknown member › in ${pointer || 'the body'}`, async () => {
        for (const [name, spelt] of names) {
          const whole = wellFormed(id);
          const rawBody = bodyWith(whole.body!, pointer, name);
          const fields = await invalidFields(partner, id, { ...inputOf(whole), rawBody });
          assert.deepEqual(fields, [{ path: `${pointer}/${spelt}`, message: 'is not known here' }]);
        }
      });
    }
  }

  for (const id of operationIds) {
    test(`${id} › unknown query parameter`, async () => {
      for (const name of queryNames) {
        const input = inputOf(wellFormed(id));
        const query = [input.query, `${name}=1`].filter(Boolean).join('&');
        const fields = await invalidFields(partner, id, { ...input, query });
        const path = `query/${decodeURIComponent(name).replace('/', '~1')}`;
        assert.deepEqual(fields, [{ path, message: 'is not known here' }]);
      }
    });
  }

  test('members of Object.prototype are unknown members', async () => {
    const whole = wellFormed('reservation.quote.create');
    const text = JSON.stringify(whole.body).replace('{', '{"__proto__":{"adults":1,"limit":3},');
    const input = { ...inputOf(whole), rawBody: text };
    assert.deepEqual(await invalidPaths(partner, 'reservation.quote.create', input), [
      '/__proto__',
    ]);
    assert.equal(({} as { adults?: number }).adults, undefined);
  });

  test('many at once › the first hundred are reported', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, nth) => [`x${nth}`, 1]));
    const whole = wellFormed('reservation.quote.create');
    const rawBody = JSON.stringify({ ...whole.body, ...many });
    assert.ok(rawBody.length < 16_384);
    const fields = await invalidFields(partner, 'reservation.quote.create', {
      ...inputOf(whole),
      rawBody,
    });
    assert.equal(fields.length, 100);
  });
});
