/** The contract document as a partner takes it: the committed bytes, and nothing but them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type {
  JsonObject,
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../../src/contract/openapi/document.ts';
import { reasons } from '../../src/contract/errors.ts';
import { suffixTexts } from '../../src/contract/openapi/simulation.ts';
import { staleFiles } from '../../src/build/generate.ts';
import { suffixOutcomes } from '../../src/simulation/outcomes.ts';
import { errorList, everywhere, operationList } from './operation-list.ts';
import { lintDocument } from './redocly.ts';

const root = new URL('../../', import.meta.url);
const bytes = await readFile(new URL('openapi.json', root));
const document = JSON.parse(bytes.toString()) as OpenApiDocument;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'openapi.json');

/** Every place in a JSON value, with the JSON Pointer to it. */
function* places(value: unknown, pointer = ''): Generator<{ pointer: string; value: object }> {
  if (typeof value !== 'object' || value === null) return;
  yield { pointer, value };
  for (const [key, inner] of Object.entries(value)) {
    yield* places(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Places that hold a schema and examples of it: bodies, parameters, headers. */
const exampled = [...places(document)].filter(
  (place): place is { pointer: string; value: MediaType } =>
    'schema' in place.value && ('example' in place.value || 'examples' in place.value),
);

const examplesOf = ({ example, examples }: MediaType): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map(({ value }) => value),
];

const components = Object.entries(document.components).flatMap(([section, of]) =>
  Object.keys(of).map((name) => `#/components/${section}/${name}`),
);

const references = new Set(
  [...places(document)].flatMap(({ value }) => ('$ref' in value ? [String(value.$ref)] : [])),
);

function resolve<T extends object>(value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const [section = '', name = ''] = value.$ref.replace('#/components/', '').split('/');
  const sections = document.components as unknown as Record<string, Record<string, T>>;
  const found = sections[section]?.[name];
  assert.ok(found, `${value.$ref} leads nowhere`);
  return found;
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

function operationNamed(id: string): OperationObject {
  const found = operations.find(({ operation }) => operation.operationId === id);
  assert.ok(found, `${id} is not in the document`);
  return found.operation;
}

const headersOf = (response: ResponseObject): string[] => Object.keys(response.headers ?? {});

const responsesOf = (operation: OperationObject): [string, ResponseObject][] =>
  Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)]);

const parameterNames = (operation: OperationObject): string[] =>
  (operation.parameters ?? []).map((parameter) => resolve<ParameterObject>(parameter).name);

const codesIn = (response: ResponseObject): string[] => {
  const { examples } = response.content?.['application/json'] ?? {};
  return Object.values(examples ?? {}).map(
    ({ value }) => (value as { error: { code: string } }).error.code,
  );
};

suite('contract files', () => {
  test('openapi.json and release-manifest.json › are what the tables make', async () => {
    assert.deepEqual(await staleFiles(), [], 'refresh them with: npm run generate');
  });

  // Spec: VERSION-4.
  test('release-manifest.json › binds the wire version to the bytes of the document', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('release-manifest.json', root), 'utf8'),
    );
    assert.deepEqual(manifest, {
      wireVersion: '0.2.0-preview.2',
      revision: document.info['x-revision'],
      document: 'openapi.json',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });
});

suite('document', () => {
  // Spec: VERSION-1.
  test('info › names the product and the wire version', () => {
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.title, 'Latchkey');
    assert.equal(document.info.version, '0.2.0-preview.2');
  });

  test('servers › sandbox and production', () => {
    assert.deepEqual(
      document.servers.map(({ description }) => description.split(':', 1)[0]),
      ['Sandbox', 'Production'],
    );
  });

  // Spec: VERSION-6.
  test('operations › every one of the list and the token endpoint, and no other', () => {
    const written = operations.map(({ path, method, operation }) => [
      operation.operationId,
      method,
      path,
    ]);
    const expected = operationList.map(({ id, method, path }) => [id, method, path]);
    assert.deepEqual(
      written.toSorted(),
      [
        ...expected,
        ['token', 'post', '/oauth/token'],
        ['revokeToken', 'post', '/oauth/revoke'],
      ].toSorted(),
    );
  });

  test('tags › each is described and has operations', () => {
    const webhooks = Object.values(document.webhooks).flatMap((item) => Object.values(item));
    const used = [...operations.map(({ operation }) => operation), ...webhooks].flatMap(
      ({ tags }) => tags,
    );
    assert.deepEqual(
      document.tags.map(({ name }) => name).toSorted(),
      [...new Set(used)].toSorted(),
    );
    assert.ok(document.tags.every(({ description }) => description.length > 0));
  });

  test('references › each leads somewhere', () => {
    const known = new Set(components);
    assert.deepEqual(
      [...references].filter((reference) => !known.has(reference)),
      [],
    );
  });

  test('components › each is used', () => {
    const schemes = [...places(document)].flatMap(({ value }) =>
      'security' in value ? (value.security as object[]).flatMap(Object.keys) : [],
    );
    const used = new Set([
      ...references,
      ...schemes.map((name) => `#/components/securitySchemes/${name}`),
    ]);
    assert.deepEqual(
      components.filter((component) => !used.has(component)),
      [],
    );
  });

  test('schemas › nothing of the library that made them is left', () => {
    assert.doesNotMatch(bytes.toString(), /"(~\w+|\$id|here|deprecatedSince)":/);
  });

  test('schemas › no default: a generator would make a member required that may be left out', () => {
    const { servers: _, ...rest } = document;
    const withDefault = [...places(rest)].filter(
      ({ pointer, value }) => 'default' in value && !pointer.includes('/example'),
    );
    assert.deepEqual(
      withDefault.map(({ pointer }) => pointer),
      [],
    );
  });

  test('schemas › no member is both absent and null', () => {
    const isNullable = (schema: { anyOf?: { type?: string }[] }) =>
      schema.anyOf?.some(({ type }) => type === 'null') ?? false;
    const both = [...places(document.components.schemas)].flatMap(({ pointer, value }) => {
      const { properties = {}, required = [] } = value as {
        properties?: Record<string, object>;
        required?: string[];
      };
      return Object.entries(properties)
        .filter(([name, schema]) => isNullable(schema) && !required.includes(name))
        .map(([name]) => `${pointer}/${name}`);
    });
    assert.deepEqual(both, []);
  });

  test('schemas › states, next actions and reasons are named, shared, and said to be open', () => {
    const { schemas } = document.components;
    const open = Object.entries(schemas)
      .filter(([, { description }]) => String(description).includes('New values may appear'))
      .map(([name]) => name);
    assert.deepEqual(open, [
      'Capability',
      'ChangeRequestKind',
      'ChangeRequestState',
      'ChargeKind',
      'CheckoutOutcome',
      'CheckoutState',
      'ConflictReason',
      'FailureReason',
      'ForbiddenReason',
      'InventoryChangeKind',
      'Materialization',
      'NextAction',
      'PaymentSetupFailure',
      'PaymentSetupState',
      'PolicyRestrictedReason',
      'PropertyType',
      'RateLimitedReason',
      'ReservationChange',
      'ReservationRequestState',
      'ReservationState',
      'UnauthenticatedReason',
    ]);
    const valuesOf = ({ anyOf, ...schema }: JsonObject) =>
      (Array.isArray(anyOf) ? (anyOf[0] as JsonObject) : schema)['enum'];
    const named = new Set(Object.values(schemas).map((schema) => JSON.stringify(valuesOf(schema))));
    const inline = [...places(document)]
      .filter(({ pointer }) => !/^\/components\/schemas\/\w+(\/anyOf\/0)?$/.test(pointer))
      .filter(({ value }) => 'enum' in value && named.has(JSON.stringify(value.enum)));
    assert.deepEqual(
      inline.map(({ pointer }) => pointer),
      [],
      'an enum is written out where it has a name',
    );
  });

  // Spec: VERSION-3.
  test('schemas › each open value accepts one that does not exist yet', () => {
    const { schemas } = document.components;
    const open = Object.entries(schemas).filter(([, { anyOf }]) =>
      (anyOf as JsonObject[] | undefined)?.some(({ enum: values }) => values),
    );
    assert.ok(open.length >= 15);
    for (const [name, { anyOf }] of open) {
      const validate = ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });
      const [{ enum: values = [] } = {}] = anyOf as { enum?: string[] }[];
      for (const value of [...values, 'invented_tomorrow']) assert.ok(validate(value), name);
      assert.ok(!validate(1), name);
    }
  });

  test('schemas › an event and an error that do not exist yet are valid, a broken one of today is not', () => {
    const valid = (name: string, value: unknown): boolean =>
      ajv.validate({ $ref: `openapi.json#/components/schemas/${name}` }, value);
    const page = operationNamed('reservation.event.list').responses['200'] as ResponseObject;
    const { example } = page.content!['application/json']!;
    const { items } = example as { items: object[] };
    const read = (item: object) => ({ items: [item], nextCursor: 'abc', hasMore: false });
    assert.ok(valid('EventPage', read({ ...items[0] })));
    assert.ok(valid('EventPage', read({ ...items[0], type: 'stay.begun', data: { any: 1 } })));
    assert.ok(!valid('EventPage', read({ ...items[0], data: {} })));
    const error = {
      code: 'conflict',
      message: 'Taken.',
      requestId: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
      retryable: false,
    };
    assert.ok(valid('ErrorEnvelope', { error: { ...error, code: 'too_early' } }));
    assert.ok(!valid('ErrorEnvelope', { error }));
    assert.ok(valid('ErrorEnvelope', { error: { ...error, details: { reason: 'new_reason' } } }));
  });
  test('schemas › Event and the error say by which member they are told apart', () => {
    for (const [name, member] of [
      ['Event', 'type'],
      ['ServiceError', 'code'],
    ] as const) {
      const { oneOf, discriminator } = document.components.schemas[name] as {
        oneOf: Reference[];
        discriminator: { propertyName: string; mapping: Record<string, string> };
      };
      assert.equal(discriminator.propertyName, member);
      const mapped = new Set(Object.values(discriminator.mapping));
      assert.deepEqual(
        oneOf.map(({ $ref }) => $ref),
        [...mapped],
      );
    }
  });

  test('schemas › no object stands inside another without a name', () => {
    const inline = [...places(document)].filter(
      ({ pointer, value }) =>
        'properties' in value &&
        'type' in value &&
        value.type === 'object' &&
        !/^\/components\/schemas\/\w+$/.test(pointer),
    );
    assert.deepEqual(
      inline.map(({ pointer }) => pointer),
      [],
    );
  });

  test('servers › no description of a variable, which widely used validators refuse', () => {
    const variables = document.servers.flatMap((server) => Object.values(server.variables));
    for (const variable of variables) assert.deepEqual(Object.keys(variable), ['default']);
  });

  test('patterns › none with a class that other languages do not know', () => {
    assert.doesNotMatch(bytes.toString(), /\\\\[pP]\{/);
  });

  // Spec: VERSION-7.
  test('info › the revision has a heading in the changelog', async () => {
    const changelog = await readFile(new URL('CHANGELOG.md', root), 'utf8');
    const [, partners = ''] = /## For partners: the contract\n(.*?)\n## /s.exec(changelog) ?? [];
    const headings = [...partners.matchAll(/^#### Revision (\d+)/gm)].map(([, n]) => Number(n));
    assert.equal(Math.max(...headings), document.info['x-revision']);
  });

  test('schemas › details are those of the code', () => {
    for (const name of ['Forbidden', 'Conflict', 'PolicyRestricted']) {
      const { schemas } = document.components;
      const { properties } = schemas[`${name}Error`] as {
        properties: { code: { const: string }; details: object };
      };
      assert.deepEqual(properties.details, { $ref: `#/components/schemas/${name}Details` });
      const { required } = schemas[`${name}Details`] as { required: string[] };
      assert.ok(required.includes('reason'));
      const { anyOf } = schemas[`${name}Reason`] as { anyOf: [{ enum: string[] }] };
      const [listed] = anyOf;
      assert.deepEqual(listed.enum, reasons[properties.code.const as keyof typeof reasons]);
    }
  });

  test('rate_limited › its reason is optional, and given by what makes a reservation', () => {
    const { required } = document.components.schemas['RateLimitedError'] as { required: string[] };
    assert.ok(!required.includes('details'));
    const withReason = [...places(document.paths)]
      .filter(({ value }) => 'reservations_per_day' in value)
      .map(({ pointer }) => pointer.replaceAll('~1', '/').split('/responses/')[0]);
    assert.deepEqual(withReason, [
      '//v1/checkouts/{checkoutId}/submit/post',
      '//v1/reservation-requests/post',
    ]);
  });

  test('webhooks › sequence is optional in their bodies and required in the feed', () => {
    for (const name of [
      'CheckoutResolved',
      'ReservationConfirmed',
      'ReservationCancelled',
      'ReservationChanged',
    ]) {
      const requires = (kind: string) =>
        document.components.schemas[`${name}${kind}`]?.['required'] as string[];
      assert.ok(requires('Event').includes('sequence'));
      assert.deepEqual(
        requires('Webhook'),
        requires('Event').filter((member) => member !== 'sequence'),
      );
    }
  });

  // Spec: VERSION-2.
  test('schemas › those of requests are closed, those of responses are open', () => {
    const closed = Object.entries(document.components.schemas)
      .filter(([, schema]) => schema['additionalProperties'] === false)
      .map(([name]) => name);
    assert.deepEqual(closed, [
      'ApplyPromo',
      'CaptureSignal',
      'CreateChangeRequest',
      'CreateCheckout',
      'CreateQuote',
      'CreateReservationRequest',
      'GuestInput',
      'ListCalendars',
      'MaxTotal',
      'Near',
      'PartyInput',
      'SaveGuest',
      'SearchListings',
      'SetupPayment',
      'SubmitCheckout',
      'VerifyPayment',
    ]);
  });

  test('webhooks › one for each event type, with its example', () => {
    const types = Object.entries(document.webhooks).map(([type, item]) => {
      const { example } = item['post']?.requestBody?.content['application/json'] ?? {};
      assert.equal((example as { type: string }).type, type);
      return type;
    });
    assert.deepEqual(types, [
      'checkout.resolved',
      'reservation.confirmed',
      'reservation.cancelled',
      'reservation.changed',
      'change_request.decided',
    ]);
  });

  test('simulation › every suffix of the outcome table is explained', () => {
    assert.deepEqual(Object.keys(suffixTexts).toSorted(), Object.keys(suffixOutcomes).toSorted());
    for (const suffix of Object.keys(suffixOutcomes)) {
      assert.ok(document.info.description.includes(`\`+${suffix}\``), suffix);
    }
  });

  test('lint › the recommended rules of redocly find nothing', async () => {
    const { totals, problems } = await lintDocument('openapi.json');
    assert.deepEqual(problems, []);
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
  });
});

suite('examples of the document', () => {
  test('examples › there is one for every body of every operation', () => {
    for (const { operation } of operations) {
      const bodies = [
        operation.requestBody,
        ...responsesOf(operation).map(([, response]) => response),
      ].flatMap((holder) => Object.values(holder?.content ?? {}));
      for (const body of bodies) assert.ok(examplesOf(body).length > 0, operation.operationId);
    }
  });

  for (const { pointer, value } of exampled) {
    test(`examples › ${pointer} › are valid`, () => {
      const validate = ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}/schema` });
      for (const example of examplesOf(value)) {
        assert.ok(validate(example), ajv.errorsText(validate.errors));
      }
    });
  }
});

for (const expected of operationList) {
  suite(expected.id, () => {
    const operation = operationNamed(expected.id);
    const responses = responsesOf(operation);

    test(`${expected.id} › scope, tier and session`, () => {
      assert.equal(operation['x-required-scope'], expected.scope);
      assert.equal(operation['x-quota-tier'], expected.tier);
      const bearer = { Application: [] };
      const both = { Application: [], SessionCapability: [] };
      const wanted = { required: [both], joined: [bearer, both], none: [bearer] };
      assert.deepEqual(operation.security, wanted[expected.session ?? 'none']);
    });

    test(`${expected.id} › responses`, () => {
      const successes = responses.map(([status]) => status).filter((status) => status < '400');
      assert.deepEqual(successes, expected.successes);
    });

    test(`${expected.id} › errors, each with its status and an example`, () => {
      const written = responses.flatMap(([status, response]) =>
        codesIn(response).map((code) => `${status} ${code}`),
      );
      const wanted = [...everywhere, ...expected.errors].map(
        (code) => `${errorList[code]?.[0]} ${code}`,
      );
      assert.deepEqual([...new Set(written)].toSorted(), wanted.toSorted());
    });

    test(`${expected.id} › headers of its responses`, () => {
      for (const [status, response] of responses) {
        const headers = headersOf(response);
        assert.ok(headers.includes('x-request-id'), status);
        assert.equal(headers.includes('WWW-Authenticate'), /^40[13]$/.test(status), status);
        assert.equal(headers.includes('RateLimit'), status !== '401', status);
        assert.equal(headers.includes('RateLimit-Policy'), status !== '401', status);
        assert.equal(headers.includes('Location'), status === '202', status);
        const delayed = ['202', '429', '503', '504'].includes(status);
        assert.equal(headers.includes('Retry-After'), delayed, status);
      }
    });
  });
}

suite('parameters of the document', () => {
  const taking = (name: string): string[] =>
    operations
      .filter(({ operation }) => parameterNames(operation).includes(name))
      .map(({ operation }) => operation.operationId);

  test('Idempotency-Key › on every create', () => {
    assert.deepEqual(taking('Idempotency-Key'), [
      'reservation.quote.create',
      'reservation.checkout.create',
      'reservation.reservationRequest.create',
      'reservation.change.request',
      'cdp.signal.capture',
    ]);
  });

  test('If-Match › on every command', () => {
    assert.deepEqual(taking('If-Match'), [
      'reservation.checkout.saveGuest',
      'reservation.checkout.applyPromo',
      'reservation.checkout.removePromo',
      'reservation.checkout.setupPayment',
      'reservation.checkout.verifyPayment',
      'reservation.checkout.submit',
    ]);
  });

  test('If-None-Match and X-Booking-Consumer › on reads of site and listings', () => {
    const reads = [
      'distribution.site.get',
      'distribution.listing.list',
      'distribution.listing.get',
    ];
    assert.deepEqual(taking('If-None-Match'), reads);
    assert.deepEqual(taking('X-Booking-Consumer'), reads);
  });

  test('ETag › on reads of site and listings, and on every response that is a checkout', () => {
    const tagged = operations.filter(({ operation }) =>
      responsesOf(operation).some(([, response]) => headersOf(response).includes('ETag')),
    );
    assert.deepEqual(
      tagged.map(({ operation }) => operation.operationId),
      [
        'distribution.site.get',
        'distribution.listing.list',
        'distribution.listing.get',
        'reservation.checkout.create',
        'reservation.checkout.get',
        'reservation.checkout.saveGuest',
        'reservation.checkout.applyPromo',
        'reservation.checkout.removePromo',
        'reservation.checkout.setupPayment',
        'reservation.checkout.verifyPayment',
      ],
    );
  });

  test('Cache-Control › no-store on live reads, quotes, checkouts and tokens', () => {
    const unstored = operations
      .filter(({ operation }) =>
        responsesOf(operation).some(([, response]) =>
          headersOf(response).includes('Cache-Control'),
        ),
      )
      .map(({ operation }) => operation.operationId);
    const expected = operationList
      .filter(({ id, tier }) => tier === 'search' || id.startsWith('reservation.checkout.'))
      .map(({ id }) => id);
    assert.deepEqual(unstored.toSorted(), [...expected, 'token', 'revokeToken'].toSorted());
  });

  test('Session-Capability › typed on every operation that takes it, required unless it is joined', () => {
    const taken = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .map((parameter) => resolve<ParameterObject>(parameter))
        .filter(({ name }) => name === 'Session-Capability')
        .map(({ required }) => [operation.operationId, required]),
    );
    const expected = operationList
      .filter(({ session }) => session !== undefined)
      .map(({ id, session }) => [id, session === 'required']);
    assert.deepEqual(taken, expected);
  });

  test('request body › not required where the version is all there is to say', () => {
    const optional = operations.filter(
      ({ operation }) => operation.requestBody?.required === false,
    );
    assert.deepEqual(
      optional.map(({ operation }) => operation.operationId),
      ['reservation.checkout.setupPayment'],
    );
  });

  test('empty query values › allowed on the list of homes alone', () => {
    const allowing = operations.filter(({ operation }) =>
      (operation.parameters ?? []).some(
        (parameter) => resolve<ParameterObject>(parameter).allowEmptyValue,
      ),
    );
    assert.deepEqual(
      allowing.map(({ operation }) => operation.operationId),
      ['distribution.listing.list'],
    );
  });
});

suite('token', () => {
  const responses = new Map(responsesOf(operationNamed('token')));
  const errorsAt = (status: string): string[] =>
    Object.keys(responses.get(status)?.content?.['application/json']?.examples ?? {});

  test('token › a form, with HTTP Basic or the credentials in it', () => {
    const { requestBody, security } = operationNamed('token');
    assert.deepEqual(Object.keys(requestBody?.content ?? {}), [
      'application/x-www-form-urlencoded',
    ]);
    assert.deepEqual(security, [{ ApplicationKey: [] }, {}]);
  });

  test('token › errors in the OAuth form, by status', () => {
    assert.deepEqual([...responses.keys()], ['200', '400', '401', '429', '503']);
    assert.deepEqual(errorsAt('400'), [
      'invalid_request',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_target',
    ]);
    assert.deepEqual(errorsAt('401'), ['invalid_client']);
    assert.deepEqual(errorsAt('429'), ['rate_limited']);
    assert.deepEqual(errorsAt('503'), ['temporarily_unavailable']);
  });
});
