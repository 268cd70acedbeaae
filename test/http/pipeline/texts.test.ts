import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import {
  at,
  inputOf,
  invalidPaths,
  isText,
  placesOf,
  takesBody,
  wellFormed,
  withAt,
} from '../../harness/well-formed.ts';

/** What PostgreSQL cannot hold: put before, behind and in place of a text. */
const spoilt = (text: string): string[] => [
  `${text}\u0000`,
  `\u0000${text}`,
  `${text}\ud800`,
  `\udc00${text}`,
  '\udc00\ud800',
];

suite('400 invalid_input › U+0000 and unpaired surrogates', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  for (const id of operationIds.filter(takesBody)) {
    for (const { pointer } of placesOf(id).filter(isText)) {
      // Spec: CALL-10.
      test(`${id} › ${pointer}`, async () => {
        const whole = wellFormed(id);
        for (const text of spoilt(String(at(whole.body!, pointer) ?? 'a'))) {
          const body = withAt(whole.body!, pointer, text);
          assert.deepEqual(await invalidPaths(partner, id, inputOf({ ...whole, body })), [pointer]);
        }
      });
    }
  }

  for (const id of operationIds) {
    const { params, query } = rowOf(id);
    for (const name of Object.keys(query?.properties ?? {})) {
      test(`${id} › query › ${name}`, async () => {
        const input = inputOf(wellFormed(id));
        const rest = String(input.query)
          .split('&')
          .filter((pair) => !pair.startsWith(`${name}=`));
        for (const text of ['%00', 'a%00', '%ED%A0%80']) {
          const pairs = [...rest, `${name}=${text}`].filter(Boolean).join('&');
          const paths = await invalidPaths(partner, id, { ...input, query: pairs });
          assert.ok(paths.includes(`query/${name}`), paths.join());
          assert.ok(paths.every((path) => path.startsWith('query/')));
        }
      });
    }
    for (const name of Object.keys(params?.properties ?? {})) {
      test(`${id} › path › ${name}`, async () => {
        const whole = wellFormed(id);
        const nul = { ...whole, params: { ...whole.params, [name]: 'a\u0000' } };
        assert.deepEqual(await invalidPaths(partner, id, inputOf(nul)), [`path/${name}`]);
      });
    }
  }

  test('surrogate pairs are accepted as characters', async () => {
    const { at: open } = await partner.checkout();
    const guest = {
      firstName: '😀',
      lastName: '𠮷野 ﷺ',
      email: 'a@example.com',
      phone: '+4912345',
    };
    const body = { expectedVersion: 1, guest };
    const saved = await partner.succeed('reservation.checkout.saveGuest', { ...open, body });
    assert.deepEqual(saved.guest, guest);
  });
});
