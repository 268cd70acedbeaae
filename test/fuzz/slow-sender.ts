/** Slow senders: one byte every 100 ms, until they finish or the server closes the connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection, requestText, type RawResponse } from '../harness/raw-http.ts';
import { finalResponse } from './wire.ts';

const everyMs = 100;
// Longer than every timeout of the server.
const responseTimeoutMs = 120_000;

const endless = Buffer.alloc(100_000, 'a').toString();

/** The requests of slow senders: only the first is ever complete. */
export const slowRequests: Readonly<Record<string, Buffer>> = {
  'a whole one': Buffer.from('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'),
  'a request line without end': Buffer.from(`GET /${endless}`),
  'a header without end': Buffer.from(`GET /v1/site HTTP/1.1\r\nHost: a\r\nX-A: ${endless}`),
  'a body without end': requestText(
    'POST /oauth/token',
    {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': '9000',
    },
    endless,
  ),
  'chunks without end': Buffer.from(
    `POST /v1/quotes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(9_000)}`,
  ),
};

/** Sends slowly until a response arrives, the connection ends, or `isOver`. Returns the response, if any. */
export async function sendSlowly(
  origin: string,
  request: Buffer,
  isOver: () => boolean,
): Promise<RawResponse | null> {
  const connection = await RawConnection.open(origin);
  const coming = finalResponse(connection, false, responseTimeoutMs).catch(() => null);
  let answered = false;
  void coming.then(() => (answered = true));
  for (const byte of request) {
    if (answered || connection.ended || isOver()) break;
    connection.write(Buffer.from([byte]));
    await sleep(everyMs);
  }
  if (isOver()) connection.close();
  const response = await coming;
  connection.close();
  return response;
}
