/** The portal's document as a script takes it: the committed bytes, and nothing but them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { errors, type ErrorCode } from '../../src/contract/errors.ts';
import type { OpenApiDocument } from '../../src/contract/openapi/document.ts';
import { portalDocument } from '../../src/contract/portal/openapi.ts';
import { lintDocument } from './redocly.ts';

const root = new URL('../../', import.meta.url);
const text = await readFile(new URL('portal-openapi.json', root), 'utf8');
const document = JSON.parse(text) as Omit<OpenApiDocument, 'webhooks'>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'portal-openapi.json');

/** Method, path, statuses without errors, codes of errors beside those of every call. */
const expected: [string, string[]][] = [
  ['POST /portal/v1/session 201', []],
  ['GET /portal/v1/session 200', []],
  ['DELETE /portal/v1/session 204', []],
  ['GET /portal/v1/sessions 200', []],
  ['DELETE /portal/v1/sessions/{sessionId} 204', ['not_found']],
  ['POST /portal/v1/own-link 201', ['not_found', 'policy_restricted']],
  ['GET /portal/v1/event-types 200', []],
  ['GET /portal/v1/endpoints 200', []],
  ['POST /portal/v1/endpoints 201', ['policy_restricted']],
  ['GET /portal/v1/endpoints/{endpointId} 200', ['not_found']],
  ['PATCH /portal/v1/endpoints/{endpointId} 200', ['not_found']],
  ['DELETE /portal/v1/endpoints/{endpointId} 204', ['not_found']],
  ['POST /portal/v1/endpoints/{endpointId}/pause 200', ['not_found']],
  ['POST /portal/v1/endpoints/{endpointId}/resume 200', ['not_found']],
  ['GET /portal/v1/endpoints/{endpointId}/secret 200', ['not_found']],
  ['POST /portal/v1/endpoints/{endpointId}/rotate-secret 200', ['not_found']],
  ['POST /portal/v1/endpoints/{endpointId}/test 202', ['not_found', 'invalid_state']],
  ['POST /portal/v1/endpoints/{endpointId}/replay 200', ['not_found']],
  ['GET /portal/v1/deliveries 200', []],
  ['GET /portal/v1/deliveries/{deliveryId} 200', ['not_found']],
  ['POST /portal/v1/deliveries/{deliveryId}/replay 202', ['not_found']],
  ['GET /portal/v1/endpoints/{endpointId}/failed 200', ['not_found']],
  ['GET /portal/v1/events 200', []],
  ['GET /portal/v1/events/{eventId} 200', ['not_found']],
  ['GET /portal/v1/bookings 200', []],
  ['GET /portal/v1/bookings/{kind}/{bookingId} 200', ['not_found']],
  [
    'POST /portal/v1/reservations/{reference}/simulate 200',
    ['not_found', 'invalid_state', 'policy_restricted'],
  ],
  ['GET /portal/v1/statement 200', ['policy_restricted']],
  ['GET /portal/v1/quotas 200', []],
  ['GET /portal/v1/keys 200', []],
  ['POST /portal/v1/keys 201', ['policy_restricted']],
  ['POST /portal/v1/keys/{keyId}/revoke 200', ['not_found', 'policy_restricted']],
  ['GET /portal/v1/requests/{requestId} 200', ['not_found']],
  ['GET /portal/v1/requests 200', []],
];
const everywhere: ErrorCode[] = [
  'invalid_input',
  'unauthenticated',
  'rate_limited',
  'internal',
  'unavailable',
];

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

const statusesOf = (codes: readonly ErrorCode[]): string[] =>
  codes.map((code) => String(errors[code].status)).toSorted();

/** Every place in a JSON value, with the JSON Pointer to it. */
function* places(value: unknown, pointer = ''): Generator<{ pointer: string; value: object }> {
  if (typeof value !== 'object' || value === null) return;
  yield { pointer, value };
  for (const [key, inner] of Object.entries(value)) {
    yield* places(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

suite('portal document', () => {
  test('portal-openapi.json › is what the table makes', () => {
    const fresh = `${JSON.stringify(portalDocument(), null, 2)}\n`;
    assert.ok(text === fresh, 'refresh it with: npm run generate');
  });

  test('operations › every one, with its statuses', () => {
    const written = operations.map(({ name, operation }) => {
      const [status] = Object.keys(operation.responses);
      return `${name} ${status}`;
    });
    assert.deepEqual(written.toSorted(), expected.map(([call]) => call).toSorted());
    for (const [call, own] of expected) {
      const name = call.replace(/ \d+$/, '');
      const found = operations.find((one) => one.name === name);
      const refused = Object.keys(found?.operation.responses ?? {}).filter((one) => one >= '400');
      const changes = name.startsWith('GET') ? [] : (['forbidden'] as const);
      const codes = [...everywhere, ...changes, ...(own as ErrorCode[])];
      assert.deepEqual(refused.toSorted(), statusesOf(codes), name);
    }
  });

  test('security › a session for all but its beginning', () => {
    for (const { name, operation } of operations) {
      const wanted = name === 'POST /portal/v1/session' ? [] : [{ PortalSession: [] }];
      assert.deepEqual(operation.security, wanted, name);
    }
  });

  test('schemas › those of requests are closed', () => {
    for (const { name, operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema as
        | { $ref: string }
        | undefined;
      if (!schema) continue;
      const [, id = ''] = schema.$ref.split('/schemas/');
      assert.equal(document.components.schemas[id]?.['additionalProperties'], false, name);
    }
  });

  test('lint › the recommended rules of redocly find nothing', async () => {
    const { problems } = await lintDocument('portal-openapi.json');
    assert.deepEqual(problems, []);
  });

  test('examples › there is one for every body, and all of them are valid', () => {
    let count = 0;
    for (const { pointer, value } of places(document)) {
      if (!('schema' in value) || !pointer.endsWith('/application~1json')) continue;
      const { example, examples = {} } = value as {
        example?: unknown;
        examples?: Record<string, { value: unknown }>;
      };
      const all = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map((one) => one.value),
      ];
      assert.ok(all.length > 0, pointer);
      const reference = `portal-openapi.json#${encodeURI(pointer)}/schema`;
      const validate = ajv.compile({ $ref: reference });
      for (const one of all)
        assert.ok(validate(one), `${pointer}: ${ajv.errorsText(validate.errors)}`);
      count += all.length;
    }
    assert.ok(count > 30, `${count} examples`);
  });
});
