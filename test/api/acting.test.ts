/** A surface for people: scopes, pages of other sites, and what the caller has seen. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import Type from 'typebox';
import type { Actor } from '../../src/api/call.ts';
import { kindsFor } from '../../src/api/kinds.ts';
import { mount } from '../../src/api/mount.ts';
import type { Operation } from '../../src/api/operation.ts';
import { createServer } from '../../src/api/server.ts';
import { refuse, RefusalError, type CommonErrorCode } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';

const Lamp = Type.Object({ version: Type.Integer() });

const rows = {
  'lamp.get': {
    method: 'GET',
    path: '/lamps/v1/lamp',
    tag: 'Lamp',
    summary: 'Read the lamp',
    reply: { 200: Lamp },
    errors: [],
  },
  'lamp.switch': {
    method: 'POST',
    path: '/lamps/v1/lamp',
    tag: 'Lamp',
    summary: 'Switch the lamp',
    scope: 'lamps',
    seen: 'version',
    body: Type.Object({ version: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
    reply: { 200: Lamp },
    errors: ['precondition_failed'],
  },
} as const satisfies Record<string, Row>;

interface Lamps {
  version: number;
}

const { act } = kindsFor<typeof rows, Lamps, Actor, CommonErrorCode>();

const getLamp = act('lamp.get', {
  reply: ({ context: { version } }) => ({ status: 200, body: { version } }),
});

const switchLamp = act('lamp.switch', {
  reply({ context, seen }) {
    if (!seen.isCurrent(context.version)) return refuse('precondition_failed');
    context.version += 1;
    return { status: 200, body: { version: context.version } };
  },
});

const switchCarelessly = act('lamp.switch', {
  reply: ({ context }) => ({ status: 200, body: { version: context.version } }),
});

/** Throws what its row does not declare, or what it does. */
const throwing = (code: 'conflict' | 'precondition_failed') =>
  act('lamp.switch', {
    reply() {
      throw new RefusalError({ refused: code, message: 'The lamp is hot.' });
    },
  });

const allowed = () => Promise.resolve(null);

function serving(operation: Operation<string, Lamps>, lines: object[] = []) {
  const context: Lamps = { version: 7 };
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as object) };
  const logger = { level: 'error', base: null, timestamp: false, stream };
  const app = createServer({ tls: null, trustedProxy: null, logger, connections: 10 });
  mount(app, {
    name: 'lamps',
    rows,
    operations: { 'lamp.get': getLamp, 'lamp.switch': operation } as Record<string, Operation>,
    context,
    authenticate: ({ headers }) => String(headers['x-key']),
    standing: (key: string) => ({ applicationId: null, key }),
    grant: (actor: Actor & { key: string }, scope) =>
      actor.key === scope ? null : refuse('forbidden', { reason: 'scope' }),
    sameSite: ({ headers }) =>
      headers['sec-fetch-site'] === 'cross-site' ? refuse('forbidden', { reason: 'scope' }) : null,
    quota: {
      consume: allowed,
      repeat: allowed,
      refund: async () => {},
      debit: async () => {},
      state: allowed,
    },
  });
  return async (method: 'GET' | 'POST', body?: object, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method,
      url: '/lamps/v1/lamp',
      headers: { host: 'latchkey.test', 'x-key': 'lamps', ...headers },
      ...(body && { payload: body }),
    });
    const { version, error } = response.json<{ version?: number; error?: { code: string } }>();
    return [response.statusCode, version ?? error?.code, context.version];
  };
}

suite('act', () => {
  test('seen › 200 for the version that is stored, and for none', async () => {
    const call = serving(switchLamp);
    assert.deepEqual(await call('POST', { version: 7 }), [200, 8, 8]);
    assert.deepEqual(await call('POST', {}), [200, 9, 9]);
  });

  // Spec: OPERATOR-5.
  test('seen › 412 precondition_failed for another version', async () => {
    const call = serving(switchLamp);
    assert.deepEqual(await call('POST', { version: 6 }), [412, 'precondition_failed', 7]);
  });

  test('seen › a handler that does not compare it fails with every call', async () => {
    const call = serving(switchCarelessly);
    for (const body of [{ version: 7 }, { version: 6 }, {}]) {
      assert.deepEqual(await call('POST', body), [500, 'internal', 7]);
    }
  });

  test('a code that is thrown › is logged as a defect if the row does not declare it', async () => {
    const lines: { requestId: string }[] = [];
    const undeclared = serving(throwing('conflict'), lines);
    assert.deepEqual(await undeclared('POST', {}), [409, 'conflict', 7]);
    const [{ requestId, ...line }] = lines as [{ requestId: string }];
    const about = { operation: 'lamp.switch', code: 'conflict', msg: 'undeclared error code' };
    assert.deepEqual([line, lines.length], [{ level: 50, ...about }, 1]);
    assert.match(requestId, /^[-0-9a-f]{36}$/);
    const declared = serving(throwing('precondition_failed'), lines);
    assert.deepEqual(await declared('POST', {}), [412, 'precondition_failed', 7]);
    assert.equal(lines.length, 1);
  });

  test('scope › 403 without it; a row without a scope is for every actor', async () => {
    const call = serving(switchLamp);
    const headers = { 'x-key': 'other' };
    assert.deepEqual(await call('POST', { version: 7 }, headers), [403, 'forbidden', 7]);
    assert.deepEqual(await call('GET', undefined, headers), [200, 7, 7]);
  });

  test('another site › 403 for a call that changes something, 200 for a read', async () => {
    const call = serving(switchLamp);
    const headers = { 'sec-fetch-site': 'cross-site' };
    assert.deepEqual(await call('POST', { version: 7 }, headers), [403, 'forbidden', 7]);
    assert.deepEqual(await call('GET', undefined, headers), [200, 7, 7]);
  });
});
