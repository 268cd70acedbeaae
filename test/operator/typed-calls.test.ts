/** Calls of the operator's API are typed by its table: what is wrong does not compile. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { call } from '../../console/src/operator/api/call.ts';
import { operatorAddress } from '../../src/contract/operator/call-types.ts';
import type { Operator } from '../harness/operator.ts';

const params = { reference: 'LK-1234-5678' };

/** Never called: `npm run check` fails if one of the lines below an expected error compiles. */
export async function wrongCalls(operator: Operator): Promise<void> {
  // @ts-expect-error -- no such path
  void call('GET', '/reservation');
  // @ts-expect-error -- no such method of this path
  void call('PUT', '/reservations');
  // @ts-expect-error -- a parameter of the path is missing
  void call('GET', '/reservations/{reference}');
  // @ts-expect-error -- another parameter
  void call('GET', '/reservations/{reference}', { params: { referenz: 'LK' } });
  // @ts-expect-error -- the body is missing
  void call('POST', '/reservations/{reference}/cancel', { params });
  // @ts-expect-error -- a member of the body is missing
  void call('POST', '/reservations/{reference}/cancel', { params, body: {} });
  // @ts-expect-error -- a member of the body has another type
  void call('POST', '/reservations/{reference}/cancel', { params, body: { reason: 5 } });
  // @ts-expect-error -- an unknown member of the body
  void call('POST', '/reservations/{reference}/notes', { params, body: { text: 'a', note: 'b' } });
  // @ts-expect-error -- an unknown filter
  void call('GET', '/reservations', { query: { colour: 'red' } });
  // @ts-expect-error -- a body that the operation does not take
  void call('GET', '/reservations', { body: {} });
  // @ts-expect-error -- the reply has no such member
  void (await call('GET', '/reservations')).items[0]?.colour;
  // @ts-expect-error -- no such operation
  void operator.done('operator.reservation.paint', { params });
  // @ts-expect-error -- a parameter is missing
  void operator.done('operator.reservation.get');
}

suite('calls of the operator API', () => {
  test('what is right compiles, without input where none is needed', () => {
    const right = (operator: Operator) => [
      call('GET', '/reservations'),
      call('POST', '/reservations/{reference}/cancel', { params, body: { reason: 'a' } }),
      call('POST', '/signing-keys/rotate'),
      operator.done('operator.reservation.list'),
    ];
    assert.equal(typeof right, 'function');
  });

  test('an address has the parameters encoded, and only the filters that are set', () => {
    const query = { state: 'confirmed', from: undefined, text: '', limit: 5 };
    assert.equal(
      operatorAddress('/operator/v1/reservations/{reference}', {
        params: { reference: 'a/b c' },
        query,
      }),
      '/operator/v1/reservations/a%2Fb%20c?state=confirmed&limit=5',
    );
    assert.equal(operatorAddress('/operator/v1/overview', {}), '/operator/v1/overview');
  });
});
