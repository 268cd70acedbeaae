/**
 * A partner's receiver, as a process of its own. `/hook…` is answered at once; `/silent` never; `/drip`
 * with a byte of the body a second. Asked to, it tells when the next request arrives.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let tellNext = false;

const server = createServer((request, response) => {
  if (tellNext) {
    tellNext = false;
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
  tellNext = true;
  process.send?.({ watching: true });
});
