import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { RefusalError, type InvalidField } from '../../../src/contract/errors.ts';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import { readBody } from '../../../src/api/body.ts';
import type { Partner } from '../../harness/partner.ts';
import { assertEnvelope, RawConnection, requestText } from '../../harness/raw-http.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, invalidFields, takesBody, wellFormed } from '../../harness/well-formed.ts';

const most = 16_384;
const id = 'reservation.quote.create';
const json = { 'Content-Type': 'application/json' };
const operationsWithBody = operationIds.filter(takesBody);
const pathOf = (operation: OperationId): string =>
  rowOf(operation).path.replaceAll(/\{\w+\}/g, () => randomUUID());

suite('body › 400 invalid_input', () => {
  let service: TestService;
  let partner: Partner;
  let connection: RawConnection;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    connection = await RawConnection.open(service.origin);
  });
  after(async () => {
    connection.close();
    await service.stop();
  });

  /** All on one connection: each call shows that the one before left it usable. */
  async function send(
    operation: OperationId,
    headers: Record<string, string>,
    body: string | Buffer,
  ): Promise<{ status: number; fields: InvalidField[] }> {
    const authorization = `Bearer ${await partner.token()}`;
    const line = `${rowOf(operation).method} ${pathOf(operation)}`;
    connection.write(requestText(line, { Authorization: authorization, ...headers }, body));
    const response = await connection.response();
    assert.ok(response, 'the connection has ended');
    const { error } = JSON.parse(response.text) as {
      error?: { details?: { fields?: InvalidField[] } };
    };
    return { status: response.status, fields: error?.details?.fields ?? [] };
  }

  async function refused(
    headers: Record<string, string>,
    body: string | Buffer,
    path: string,
    operations: OperationId[] = [id],
  ): Promise<InvalidField> {
    let field: InvalidField | undefined;
    for (const operation of operations) {
      const { status, fields } = await send(operation, headers, body);
      assert.equal(status, 400);
      assert.deepEqual(
        fields.map((one) => one.path),
        [path],
      );
      [field] = fields;
    }
    await partner.succeed('distribution.site.get');
    return field!;
  }

  /** A valid body of this number of bytes. */
  function bodyOf(bytes: number): string {
    const text = JSON.stringify(wellFormed(id).body);
    return text.replace('{', `{${' '.repeat(bytes - text.length)}`);
  }

  // Spec: CALL-4.
  test('size › 16,384 bytes are accepted, one more is refused', async () => {
    assert.equal(Buffer.byteLength(bodyOf(most)), most);
    const { status, fields } = await send(id, json, bodyOf(most));
    assert.ok(status !== 400 || fields.every(({ path }) => path !== ''), 'the limit itself');
    const { message } = await refused(json, bodyOf(most + 1), '');
    assert.match(message, /16384 bytes/);
  });

  test('size › counts bytes, not characters', async () => {
    const text = bodyOf(most - 20)
      .replace('}', `,"é":"${'é'.repeat(14)}"}`)
      .slice(0, most);
    assert.ok(text.length <= most && Buffer.byteLength(text) > most);
    await refused(json, text, '');
  });

  test('size › at every operation with a body, before other errors', async () => {
    await refused(json, 'x'.repeat(most + 1), '', operationsWithBody);
  });

  test('size › a long body is read to its end', async () => {
    await refused(json, 'x'.repeat(900_000), '');
  });

  test('size › of a chunked body, without Content-Length', async () => {
    const chunk = 'x'.repeat(4_096);
    const chunks = `1000\r\n${chunk}\r\n`.repeat(5);
    const headers = { ...json, 'Transfer-Encoding': 'chunked' };
    const authorization = `Bearer ${await partner.token()}`;
    const head = requestText('POST /v1/quotes', { Authorization: authorization, ...headers });
    connection.write(Buffer.concat([head, Buffer.from(`${chunks}0\r\n\r\n`)]));
    assertEnvelope(await connection.response(), 400, 'invalid_input');
    await refused(json, '', '');
  });

  test('size › an endless body gets a response, and its connection is closed', async () => {
    const own = await RawConnection.open(service.origin);
    const authorization = `Bearer ${await partner.token()}`;
    const headers = { Authorization: authorization, ...json, 'Content-Length': '100000000' };
    own.write(requestText('POST /v1/quotes', headers));
    own.write('x'.repeat(2_000_000));
    const response = await own.response();
    assertEnvelope(response, 400, 'invalid_input');
    assert.equal(response!.headers.get('connection'), 'close');
    await own.end();
    own.close();
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json5',
    'application/problem+json',
    'text/json',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    ';;',
    'json',
    '',
  ]) {
    test(`content type › ${JSON.stringify(type)}`, async () => {
      const right = JSON.stringify(wellFormed(id).body);
      await refused({ 'Content-Type': type }, right, 'header/content-type');
    });
  }

  test('content type › missing', async () => {
    await refused({}, JSON.stringify(wellFormed(id).body), 'header/content-type');
  });

  test('content type › at every operation with a body', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    await refused(headers, '{}', 'header/content-type', operationsWithBody);
  });

  test('content type › parameters and capitals are accepted', async () => {
    for (const type of [
      'Application/JSON',
      'application/json; charset=UTF-8',
      'application/json;a=b',
    ]) {
      const { fields } = await send(id, { 'Content-Type': type }, '{}');
      assert.ok(
        fields.some(({ path }) => path === '/listingId'),
        type,
      );
    }
  });

  const compressions = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
  for (const [encoding, compress] of Object.entries(compressions)) {
    test(`compressed › ${encoding}`, async () => {
      const bytes = compress(JSON.stringify(wellFormed(id).body));
      const headers = { ...json, 'Content-Encoding': encoding };
      await refused(headers, bytes, 'header/content-encoding');
    });
  }

  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    'undefined',
    'NaN',
    '{}{}',
    '{"a":01}',
    '"\\x"',
    '"\u0001"',
  ]) {
    test(`JSON › ${JSON.stringify(text)}`, async () => {
      const { message } = await refused({ ...json, 'Content-Length': `${text.length}` }, text, '');
      assert.equal(message, 'must be JSON');
    });
  }

  test('JSON › at every operation with a body', async () => {
    await refused(json, '{', '', operationsWithBody);
  });

  const notUtf8: [string, number[]][] = [
    ['a continuation that is none', [0xc3, 0x28]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['cut short', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ];
  for (const [name, bytes] of notUtf8) {
    test(`UTF-8 › ${name}`, async () => {
      const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from(bytes), Buffer.from('"}')]);
      const { message } = await refused(json, body, '');
      assert.equal(message, 'must be UTF-8');
    });
  }

  for (const text of ['null', '7', '"text"', 'true', '[]', '[{}]']) {
    test(`not an object › ${text} › at every operation with a body`, async () => {
      for (const operation of operationsWithBody) {
        const fields = await invalidFields(partner, operation, {
          ...inputOf(wellFormed(operation)),
          rawBody: text,
        });
        assert.deepEqual(fields[0], { path: '', message: 'must be an object' }, operation);
      }
    });
  }

  test('no body at all › at every operation with a body', async () => {
    for (const operation of operationsWithBody) {
      const { status, fields } = await send(operation, {}, '');
      assert.equal(status, 400);
      assert.deepEqual(fields[0], { path: '', message: 'must be an object' }, operation);
    }
  });

  const nestings: [name: string, text: string][] = [
    ['arrays', '['.repeat(8_000) + ']'.repeat(8_000)],
    ['objects', `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`],
    ['in a member that is known', `{"party":${'['.repeat(8_000)}${']'.repeat(8_000)}}`],
    ['in a member that is not', `{"x":${'['.repeat(8_000)}"\\u0000"${']'.repeat(8_000)}}`],
    ['unclosed', '['.repeat(16_000)],
  ];
  for (const [name, text] of nestings) {
    test(`nested deeply › ${name} › at every operation with a body`, async () => {
      for (const operation of operationsWithBody) {
        const { status } = await send(operation, json, text);
        assert.equal(status, 400, operation);
      }
    });
  }

  test('connection › usable after 401, 403 and 404 with an unread body', async () => {
    const long = 'x'.repeat(200_000);
    const { token } = { token: await partner.freshToken({ scope: 'distribution.listing.read' }) };
    const lines: [number, string, Record<string, string>][] = [
      [401, 'POST /v1/quotes', {}],
      [403, 'POST /v1/quotes', { Authorization: `Bearer ${token}` }],
      [404, 'POST /v1/nothing', {}],
    ];
    for (const [status, line, headers] of [...lines, ...lines]) {
      connection.write(requestText(line, { ...json, ...headers }, long));
      assert.equal((await connection.response())?.status, status);
    }
  });
});

suite('body › a caller that disconnects', () => {
  // It would wait for ever.
  const timeout = 5_000;

  test('before the body is read: the call ends', { timeout }, async () => {
    const gone = new PassThrough();
    gone.end('{}');
    gone.destroy();
    await assert.rejects(readBody(gone), RefusalError);
  });

  test('within the body: the call ends', { timeout }, async () => {
    const stream = new PassThrough();
    const reading = assert.rejects(readBody(stream), RefusalError);
    stream.write('{');
    stream.destroy();
    await reading;
  });
});
