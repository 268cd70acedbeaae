/** A surface needs rows, a way to authenticate, and handlers: the kernel does the rest. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { createComponents } from '../../src/contract/openapi/components.ts';
import { writePaths } from '../../src/contract/openapi/paths.ts';
import type { DocumentStyle } from '../../src/contract/openapi/document-style.ts';
import { errors } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';
import { ErrorEnvelope } from '../../src/contract/partner/schemas/error.ts';
import { staffRows, staffServer } from './staff-surface.ts';

type Server = ReturnType<typeof staffServer>;

async function call(
  { app }: Server,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  { key = 'writer', body, headers = {} }: { key?: string; body?: object; headers?: object } = {},
) {
  const response = await app.inject({
    method,
    url: `/staff/v1${url}`,
    headers: { host: 'latchkey.test', 'x-staff-key': key, ...headers },
    ...(body && { payload: body }),
  });
  const content = response.json<{ error?: { code: string }; version?: number; text?: string }>();
  return {
    status: response.statusCode,
    code: content.error?.code,
    headers: response.headers,
    content,
  };
}

async function addedNote(server: Server, text = 'first') {
  const noteId = randomUUID();
  const added = await call(server, 'POST', '/notes', { body: { noteId, text } });
  assert.equal(added.status, 201);
  return noteId;
}

suite('third surface', () => {
  test('401 › no key, with the challenge of the surface', async () => {
    const server = staffServer();
    const refused = await call(server, 'GET', `/notes/${randomUUID()}`, { key: '' });
    assert.deepEqual([refused.status, refused.code], [401, 'unauthenticated']);
    assert.equal(refused.headers['www-authenticate'], 'Staff realm="latchkey"');
    assert.deepEqual(server.quota.log, []);
  });

  test('403 › no grant, before the body is looked at, without consuming quota', async () => {
    const server = staffServer();
    const refused = await call(server, 'POST', '/notes', { key: 'reader', body: { wrong: 1 } });
    assert.deepEqual([refused.status, refused.code], [403, 'forbidden']);
    assert.equal(refused.headers['ratelimit'], '"staff";r=100;t=1');
  });

  test('400 › an input that the row does not take, debited', async () => {
    const server = staffServer();
    const refused = await call(server, 'POST', '/notes', { body: { wrong: 1 } });
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_input']);
    assert.deepEqual(server.quota.log, ['debit', 'state']);
  });

  test('404 › a note that does not exist, debited', async () => {
    const server = staffServer();
    const refused = await call(server, 'GET', `/notes/${randomUUID()}`);
    assert.deepEqual([refused.status, refused.code], [404, 'not_found']);
    assert.deepEqual(server.quota.log, ['debit', 'state']);
  });

  test('429 › an empty quota, after the resource was found', async () => {
    const server = staffServer(1);
    const noteId = await addedNote(server);
    const refused = await call(server, 'GET', `/notes/${noteId}`);
    assert.deepEqual([refused.status, refused.code], [429, 'rate_limited']);
    assert.equal(refused.headers['retry-after'], '7');
    const unknown = await call(server, 'GET', `/notes/${randomUUID()}`);
    assert.equal(unknown.status, 404);
  });

  test('200 › one call is consumed, and the headers show it', async () => {
    const server = staffServer();
    const noteId = await addedNote(server);
    const found = await call(server, 'GET', `/notes/${noteId}`);
    assert.deepEqual([found.status, found.content.text], [200, 'first']);
    assert.equal(found.headers['ratelimit'], '"staff";r=98;t=1');
  });

  test('repeat › a repeated create consumes no quota; other input is a conflict', async () => {
    const server = staffServer(2);
    const noteId = await addedNote(server);
    const body = { noteId, text: 'first' };
    const repeated = await call(server, 'POST', '/notes', { body });
    assert.deepEqual([repeated.status, server.quota.left], [200, 1]);
    const other = await call(server, 'POST', '/notes', { body: { noteId, text: 'other' } });
    assert.deepEqual([other.status, other.code], [409, 'conflict']);
    const late = await call(server, 'POST', '/notes', { body });
    assert.deepEqual([late.status, server.quota.left], [200, 0], 'also with an empty quota');
  });

  test('repeat › the ID of a create can come from an Idempotency-Key', async () => {
    const server = staffServer();
    const headers = { 'idempotency-key': 'a-key' };
    const first = await call(server, 'POST', '/notes', { body: { text: 'first' }, headers });
    const second = await call(server, 'POST', '/notes', { body: { text: 'first' }, headers });
    assert.deepEqual([first.status, second.status], [201, 200]);
    assert.equal(server.context.notes.size, 1);
  });

  test('412 and 409 › version before state', async () => {
    const server = staffServer();
    const noteId = await addedNote(server, 'closed');
    const stale = await call(server, 'PATCH', `/notes/${noteId}`, {
      body: { expectedVersion: 2, text: 'next' },
    });
    assert.deepEqual([stale.status, stale.code], [412, 'precondition_failed']);
    const closed = await call(server, 'PATCH', `/notes/${noteId}`, {
      body: { expectedVersion: 1, text: 'next' },
    });
    assert.deepEqual([closed.status, closed.code], [409, 'invalid_state']);
  });

  test('first reading › what is refused on memory is decided again on a read, for one call', async () => {
    const server = staffServer();
    const noteId = await addedNote(server, 'closed');
    const { notes } = server.context;
    // Another process has reopened the note and moved its version.
    notes.set(noteId, { ...notes.get(noteId)!, text: 'open', version: 2 });
    const changed = await call(server, 'PATCH', `/notes/${noteId}`, {
      body: { expectedVersion: 2, text: 'next' },
    });
    assert.deepEqual([changed.status, changed.content.version], [200, 3]);
    assert.deepEqual(server.quota.log.slice(2), ['consume', 'state']);
  });

  test('first reading › a write that finds the resource changed loads and decides again', async () => {
    const server = staffServer();
    const noteId = await addedNote(server);
    const { notes } = server.context;
    notes.set(noteId, { ...notes.get(noteId)!, version: 2 });
    const changed = await call(server, 'PATCH', `/notes/${noteId}`, {
      body: { expectedVersion: 1, text: 'next' },
    });
    assert.deepEqual([changed.status, changed.code], [412, 'precondition_failed']);
    assert.equal(notes.get(noteId)!.text, 'first');
  });

  test('enter › a public row needs no key and can set a cookie', async () => {
    const server = staffServer();
    const begun = await call(server, 'POST', '/session', { key: '', body: { name: 'ada' } });
    assert.equal(begun.status, 201);
    assert.equal(begun.headers['set-cookie'], 'staff=ada');
    assert.deepEqual(server.quota.log, ['consume']);
  });

  test('document › the one writer describes its rows', () => {
    const style: DocumentStyle<Row> = {
      describe: ({ row }) => row.summary,
      extensions: () => ({}),
      security: (row) => (row.public ? [] : [{ Staff: [] }]),
      bodyText: 'JSON.',
      envelope: ErrorEnvelope,
      replyText: () => 'Done.',
      replyHeaders: () => ['x-request-id'],
      refusals: (row) => row.errors.map((code) => ({ code, reasons: [] })),
      refusalHeaders: () => ['x-request-id'],
      codeText: (code) => errors[code].message,
      message: (code) => errors[code].message,
      reasonText: (_code, reason) => reason,
      reasonSummary: (_code, reason) => reason,
      invalid: { summary: 'A field failed', fields: [] },
      exampleDetails: {},
      sharedName: () => null,
    };
    const described = Object.entries(staffRows).map(([id, row]: [string, Row]) => ({
      id,
      row,
      notes: [],
      causes: {},
      examples: { request: {}, replies: {} },
    }));
    const paths = writePaths(style, described, createComponents());
    const note = paths['/staff/v1/notes/{noteId}'];
    assert.deepEqual(Object.keys(note ?? {}), ['get', 'patch']);
    assert.deepEqual(Object.keys(note?.['patch']?.responses ?? {}), ['200', '404', '409', '412']);
    assert.deepEqual(paths['/staff/v1/session']?.['post']?.security, []);
  });
});
