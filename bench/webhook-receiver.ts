/**
 * A partner's receiver in its own process. `/hook…` responds immediately, `/silent` never, `/drip` with
 * one byte per second. On a message from the parent it reports the arrival of the next request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let reportNext = false;

const server = createServer((request, response) => {
  if (reportNext) {
    reportNext = false;
    process.send?.({ arrivedNs: String(process.hrtime.bigint()) });
  }
  request.resume();
  if (request.url === '/silent') return;
  if (request.url !== '/drip') {
    request.on('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'));
    return;
  }
  response.writeHead(500);
  const dripping = setInterval(() => response.write('.'), 1_000);
  response.on('close', () => clearInterval(dripping));
});
server.keepAliveTimeout = 30_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', () => {
  reportNext = true;
  process.send?.({ watching: true });
});
