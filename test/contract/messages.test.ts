/** What an error says: wrong in this case, not only what its code means. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { causes, reasonTexts } from '../../src/contract/openapi/causes.ts';
import { errors, reasonMessages, reasons, type ErrorCode } from '../../src/contract/errors.ts';
import { CatalogFile } from '../../src/contract/catalog-file.ts';
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import { operations } from '../../src/contract/partner/operations.ts';
import { portalMessage, portalReasons, refusePortal } from '../../src/contract/portal/errors.ts';
import { portalOperations } from '../../src/contract/portal/operations.ts';
import type { Row } from '../../src/contract/rows.ts';
import { patterns } from '../../src/contract/patterns.ts';
import { errorResponse } from '../../src/api/errors.ts';

const cases = Object.entries(reasons).flatMap(([code, given]) =>
  given.map((reason): [ErrorCode, string] => [code as ErrorCode, reason]),
);

const said = (refused: ErrorCode, reason: string): string =>
  errorResponse({ refused, details: { reason } }, 'request').body.error.message;

suite('error messages', () => {
  for (const [code, reason] of cases) {
    // Spec: ERROR-5.
    test(`${code} › ${reason} › says what is wrong in this case`, () => {
      const message = said(code, reason);
      assert.notEqual(message, errors[code].message);
      assert.match(message, /^[A-Za-z].{20,}\.$/);
    });
  }

  test('every reason has a message of its own', () => {
    const messages = cases.map(([code, reason]) => said(code, reason));
    assert.equal(new Set(messages).size, messages.length);
    const generic = new Set<string>(Object.values(errors).map(({ message }) => message));
    assert.deepEqual(
      messages.filter((message) => generic.has(message)),
      [],
    );
  });

  test('every reason that an operation gives has a message', () => {
    const given = Object.values(causes).flatMap((byCode) =>
      Object.entries(byCode).flatMap(([code, list]) => list.map((reason) => `${code} ${reason}`)),
    );
    const known = new Set(cases.map(([code, reason]) => `${code} ${reason}`));
    assert.deepEqual(
      given.filter((cause) => !known.has(cause)),
      [],
    );
    assert.deepEqual(
      Object.values(reasonMessages).flatMap(Object.keys).toSorted(),
      Object.keys(reasonTexts).toSorted(),
    );
  });

  test("a refusal's own message counts most", () => {
    const { body } = errorResponse(
      { refused: 'invalid_state', message: 'Not confirmed.' },
      'request',
    );
    assert.equal(body.error.message, 'Not confirmed.');
  });

  test('portal › every reason says more than its code', () => {
    for (const [code, texts] of Object.entries(portalReasons)) {
      for (const reason of Object.keys(texts)) {
        const { message } = refusePortal(code as 'forbidden', reason as 'cross_site');
        assert.notEqual(message, portalMessage(code as ErrorCode));
      }
    }
  });
});

/** Every schema below a value. */
function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('pattern' in value && typeof value.pattern === 'string') yield value.pattern;
  for (const inner of Object.values(value)) yield* patternsIn(inner);
}

suite('messages of fields', () => {
  const known = new Set<string>(Object.values(patterns).map(({ pattern }) => pattern));
  test('each pattern has one message', () => {
    assert.equal(known.size, Object.keys(patterns).length);
  });

  const withoutMessage = (schemas: unknown): string[] =>
    [...patternsIn(schemas)].filter((pattern) => !known.has(pattern));

  const rows: Record<string, Row> = {
    ...operations,
    ...portalOperations,
    ...operatorOperations,
  };
  for (const [id, { params, query, body }] of Object.entries(rows)) {
    test(`${id} › every pattern of its request says what it wants`, () => {
      assert.deepEqual(withoutMessage([params, query, body]), []);
    });
  }

  test('catalog file › every pattern says what it wants', () => {
    assert.deepEqual(withoutMessage(CatalogFile), []);
  });
});
