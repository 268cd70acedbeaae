import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, type OperationId } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import {
  inputOf,
  invalidFields,
  invalidPaths,
  placesOf,
  takesBody,
  wellFormed,
  withAt,
  type WellFormed,
} from '../../harness/well-formed.ts';

const quote = 'reservation.quote.create';
const saveGuest = 'reservation.checkout.saveGuest';

/** Values of other types, with those that a lenient server would coerce. */
const ofAnotherType: Readonly<Record<string, unknown[]>> = {
  object: [null, [], 7, '{}'],
  array: [null, {}, 7, '[]'],
  integer: [null, [], {}, '1', true, 1.5],
  number: [null, [], {}, '1', true],
};

suite('400 invalid_input', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const fieldsOf = async (id: OperationId, change: Partial<WellFormed>) => {
    const fields = await invalidFields(partner, id, inputOf({ ...wellFormed(id), ...change }));
    return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
  };

  // Spec: CALL-3.
  test(`${quote} › all invalid fields together, each with a message`, async () => {
    const body = {
      listingId: 'none',
      checkIn: '2027-02-30',
      checkOut: 20270303,
      party: { adults: '2', children: -1, infants: 1.5, pets: 100, cats: 1 },
      extra: null,
    };
    const change = { body, query: { a: 1 }, headers: { 'Idempotency-Key': 'a b' } };
    assert.deepEqual(await fieldsOf(quote, change), {
      'query/a': 'is not known here',
      '/extra': 'is not known here',
      '/listingId': 'must be a UUID',
      '/checkIn': 'must be a date that exists, as YYYY-MM-DD',
      '/checkOut': 'must be a string',
      '/party/cats': 'is not known here',
      '/party/adults': 'must be an integer',
      '/party/children': 'must be >= 0',
      '/party/infants': 'must be an integer',
      '/party/pets': 'must be <= 99',
      'header/idempotency-key': 'must be 1 to 255 visible ASCII characters',
    });
  });

  test(`${saveGuest} › path, body and header at once`, async () => {
    const change = {
      params: { checkoutId: 'none' },
      body: {
        expectedVersion: 0,
        guest: { firstName: ' ', lastName: '\n', phone: '0351', email: 'a' },
      },
      headers: { 'If-Match': '*' },
    };
    const fields = await fieldsOf(saveGuest, change);
    assert.deepEqual(Object.keys(fields).toSorted(), [
      '/expectedVersion',
      '/guest/email',
      '/guest/firstName',
      '/guest/lastName',
      '/guest/phone',
      'header/if-match',
      'path/checkoutId',
    ]);
    assert.equal(fields['/guest/phone'], 'must be a phone number in E.164 form, as +351912345678');
  });

  for (const id of operationIds.filter(takesBody)) {
    test(`${id} › an empty object › every missing member by its own pointer`, async () => {
      const { required = [] } = placesOf(id)[0]!.shape as { required?: string[] };
      const whole = wellFormed(id);
      const given = inputOf({ ...whole, body: {} });
      const paths = await invalidPaths(partner, id, given);
      for (const name of required) assert.ok(paths.includes(`/${name}`), `/${name}`);
      assert.ok(paths.every((path) => path.startsWith('/')));
    });

    for (const { pointer, shape } of placesOf(id).slice(1)) {
      test(`${id} › ${pointer} › of another type, null and a list included`, async () => {
        const whole = wellFormed(id);
        for (const value of ofAnotherType[shape.type ?? ''] ?? [null, [], {}, 7]) {
          const body = withAt(whole.body!, pointer, value);
          const paths = await invalidPaths(partner, id, inputOf({ ...whole, body }));
          assert.deepEqual(paths, [pointer], JSON.stringify(value));
        }
      });
    }
  }

  for (const missing of ['adults', 'party', 'checkIn']) {
    test(`${quote} › ${missing} is missing`, async () => {
      const { body } = wellFormed(quote);
      const path = missing === 'adults' ? '/party/adults' : `/${missing}`;
      const { [missing]: _, ...rest } = body!;
      const without = missing === 'adults' ? { ...body!, party: { children: 1 } } : rest;
      assert.deepEqual(await fieldsOf(quote, { body: without }), { [path]: 'is required' });
    });
  }

  test(`${quote} › 1.0 is an integer; 1e400 and -0.5 are not`, async () => {
    const whole = wellFormed(quote);
    const bodyWith = (adults: string) =>
      JSON.stringify({ ...whole.body, party: { adults: 0 } }).replace(':0', `:${adults}`);
    for (const adults of ['1e400', '-0.5', '9007199254740993', '1e3']) {
      const input = { ...inputOf(whole), rawBody: bodyWith(adults) };
      assert.deepEqual(await invalidPaths(partner, quote, input), ['/party/adults'], adults);
    }
    const taken = await partner.call(quote, { ...inputOf(whole), rawBody: bodyWith('1.0') });
    assert.notEqual(taken.status, 400);
  });

  // Spec: ERROR-1.
  test('error messages repeat neither values nor guest details', async () => {
    const secret = 'a-value-that-nobody-should-see';
    const body = { expectedVersion: secret, guest: { email: secret, firstName: 7 }, code: secret };
    const whole = wellFormed(saveGuest);
    const { text } = await partner.call(saveGuest, {
      ...inputOf(whole),
      rawBody: JSON.stringify(body),
    });
    assert.ok(!text.includes(secret), text);
  });
});
