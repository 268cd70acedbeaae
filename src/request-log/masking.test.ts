/** What the request log keeps of a call: nothing that a caller can choose freely. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rowOf } from '../contract/partner/operations.ts';
import { unknownPath } from './logged-path.ts';
import { shownFields } from './shown-fields.ts';
import { subjectOf } from './subject.ts';

const row = rowOf('reservation.reservationRequest.create');
const message = 'is not known here';
const pathOf = (path: string): string => shownFields([{ path, message }], row)[0]!.path;

describe('the invalid fields of a logged call', () => {
  const cases = [
    ['', ''],
    ['/guest/email', '/guest/email'],
    ['/guest/ada@example.com', '/guest/{unknown}'],
    ['/ada@example.com', '/{unknown}'],
    ['/guest/0', '/guest/0'],
    ['query/ada', 'query/{unknown}'],
    ['header/idempotency-key', 'header/idempotency-key'],
    ['/constructor', '/{unknown}'],
  ] as const;
  for (const [given, shown] of cases) {
    it(`${given || 'the body'} › ${shown || 'the body'}`, () => {
      assert.equal(pathOf(given), shown);
    });
  }

  it('are at most twenty', () => {
    const many = Array.from({ length: 100 }, () => ({ path: '/guest/email', message }));
    assert.equal(shownFields(many, row).length, 20);
  });

  it('have no name that the operation does not declare', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 5 }), (name) => {
        const declared = JSON.stringify(row.body).includes(JSON.stringify(name));
        fc.pre(!declared && !name.includes('/'));
        assert.equal(pathOf(`/guest/${name}`), '/guest/{unknown}');
      }),
    );
  });
});

describe('an unknown path', () => {
  const id = randomUUID();
  const cases = [
    ['/v1/nothing', '/v1/{unknown}'],
    [`/v1/checkouts/${id}/pay`, `/v1/checkouts/${id}/{unknown}`],
    ['/v1/reservations/LK-7Q4M-2XHV/guest', '/v1/reservations/LK-7Q4M-2XHV/guest'],
    ['/v1/site?email=ada@example.com', '/v1/site'],
    ['/ada@example.com', '/{unknown}'],
    [`/v1${'/ada'.repeat(50)}`, `/v1${'/{unknown}'.repeat(6)}/…`],
  ] as const;
  for (const [given, shown] of cases) {
    it(`${given.slice(0, 50)} › ${shown.slice(0, 50)}`, () => {
      assert.equal(unknownPath(given), shown);
    });
  }
});

describe('what a call is about', () => {
  const id = 'AAAAAAAA-0000-4000-8000-000000000001';
  const cases = [
    ['the ID that it creates', {}, id.toLowerCase(), id.toLowerCase()],
    ['a checkout, in lower case', { checkoutId: id }, '', id.toLowerCase()],
    ['a reservation', { reference: 'LK-7Q4M-2XHV' }, '', 'LK-7Q4M-2XHV'],
    ['nothing, if the value is no ID', { reference: 'ada@example.com' }, '', null],
    ['nothing, if it is a listing', { listingId: id }, '', null],
  ] as const;
  for (const [what, params, created, subject] of cases) {
    it(what, () => {
      assert.equal(subjectOf(params, created), subject);
    });
  }
});
