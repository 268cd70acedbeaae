/** The HTTP client of the tests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { send } from '../harness/http-client.ts';

test('a server that says nothing ends a request, so that nobody waits for it for ever', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/readyz`;
  const sending = { method: 'GET', headers: {}, silentAtMostMs: 50 };
  await assert.rejects(send(url, sending), { message: `no response to GET ${url} within 50 ms` });
  server.close();
});
