/** Faults below the request: malformed HTTP, or bytes with unusual timing. */
import type { Chance } from '../harness/chance.ts';

/** Parts to send in order, and what to do afterwards. */
export interface WireFault {
  name: string;
  parts: Buffer[];
  /** `wait`: expect responses; `half-close`: end our side first; `reset`: reset the connection. */
  ending: 'wait' | 'half-close' | 'reset';
}

type Make = (request: Buffer, chance: Chance) => Omit<WireFault, 'name'>;

const asIs = (bytes: Buffer | string, ending: WireFault['ending'] = 'half-close') => ({
  parts: [Buffer.from(bytes as string)],
  ending,
});

const headEnd = '\r\n\r\n';

/** The head and the body of a request. */
function split(request: Buffer): { head: string; body: Buffer } {
  const end = request.indexOf(headEnd);
  return {
    head: request.subarray(0, end).toString('latin1'),
    body: request.subarray(end + headEnd.length),
  };
}

const joined = (head: string, body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${head}${headEnd}`, 'latin1'), Buffer.from(body as string)]);

const withoutLength = (head: string): string => head.replace(/\r\ncontent-length:[^\r]*/i, '');

/** The request with additional header lines and another body. */
function rewritten(request: Buffer, lines: readonly string[], body?: Buffer | string): Buffer {
  const { head, body: given } = split(request);
  return joined([withoutLength(head), ...lines].join('\r\n'), body ?? given);
}

const withHead = (request: Buffer, change: (head: string) => string): Buffer => {
  const { head, body } = split(request);
  return joined(change(head), body);
};

const chunk = (body: Buffer | string): string => {
  const text = Buffer.from(body as string).toString('latin1');
  return `${Buffer.byteLength(text, 'latin1').toString(16)}\r\n${text}\r\n`;
};

const chunked = (request: Buffer, body: string): Buffer =>
  rewritten(request, ['Transfer-Encoding: chunked'], Buffer.from(body, 'latin1'));

const oddChunks = (body: Buffer): readonly string[] => [
  `${chunk(body)}0\r\n\r\n`,
  `${[...body].map((byte) => chunk(Buffer.from([byte]))).join('')}0\r\n\r\n`,
  `${chunk(body)}0\r\nTrailer: x\r\nX-Request-Id: y\r\n\r\n`,
  `3;name="value"\r\nabc\r\n0;x\r\n\r\n`,
  'zz\r\nabc\r\n0\r\n\r\n',
  '-1\r\nabc\r\n0\r\n\r\n',
  'ffffffffffffffff1\r\nabc\r\n',
  '7fffffff\r\nabc',
  '3\r\nabcdef\r\n0\r\n\r\n',
  '3\nabc\n0\n\n',
  `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
  '0\r\n',
  '',
];

const oddLengths = [
  '0',
  '1',
  '5',
  '-1',
  '+1',
  '1e3',
  '99999999999999999999',
  'x',
  '1, 1',
  '1\r\nContent-Length: 2',
];
const oddLines = [
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Content-Length : 0',
  'Host: a\r\nHost: b',
  ' folded: line',
  'no colon',
  ': empty name',
  'X-Nul: a\0b',
  'X-Cr: a\rb',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  `X-Long: ${'a'.repeat(20_000)}`,
  Array.from({ length: 2_500 }, (_, at) => `X-${at}: 1`).join('\r\n'),
  'Trailer: x\r\nTE: trailers',
];
const notHttp: readonly (Buffer | string)[] = [
  '\r\n\r\n',
  '\n',
  ' ',
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'QUUX / HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://other.example.com/v1/site HTTP/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  Buffer.from('16030100f8010000f40303', 'hex'),
  Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n'),
];

const faults: Readonly<Record<string, Make>> = {
  truncated: (request, chance) => ({
    parts: [request.subarray(0, chance.integer(1, request.length - 1))],
    ending: chance.pick(['half-close', 'reset']),
  }),
  'in two parts': (request, chance) => {
    const at = chance.integer(1, request.length - 1);
    return { parts: [request.subarray(0, at), request.subarray(at)], ending: 'wait' };
  },
  'in single bytes': (request) => ({
    parts: Array.from(request.subarray(0, 400), (byte) => Buffer.from([byte])),
    ending: 'half-close',
  }),
  pipelined: (request, chance) => ({
    parts: [Buffer.concat(Array.from({ length: chance.integer(2, 12) }, () => request))],
    ending: 'half-close',
  }),
  'pipelined, then reset': (request) => ({
    parts: [Buffer.concat([request, request, request])],
    ending: 'reset',
  }),
  'pipelined before garbage': (request, chance) => ({
    parts: [Buffer.concat([request, chance.bytes(60)])],
    ending: 'half-close',
  }),
  'pipelined after a truncated one': (request, chance) => ({
    parts: [Buffer.concat([request.subarray(0, chance.integer(1, request.length - 1)), request])],
    ending: 'half-close',
  }),
  'wrong length': (request, chance) =>
    asIs(rewritten(request, [`Content-Length: ${chance.pick(oddLengths)}`])),
  'length and chunks': (request) =>
    asIs(rewritten(request, ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
  chunks: (request, chance) =>
    asIs(chunked(request, chance.pick(oddChunks(split(request).body.subarray(0, 300))))),
  'odd header line': (request, chance) => asIs(rewritten(request, [chance.pick(oddLines)])),
  'without carriage returns': (request) =>
    asIs(withHead(request, (head) => head.replaceAll('\r', ''))),
  'no Host': (request) => asIs(withHead(request, (head) => head.replace(/\r\nHost:[^\r]*/, ''))),
  'HTTP/1.0': (request) => asIs(withHead(request, (head) => head.replace('HTTP/1.1', 'HTTP/1.0'))),
  'changed bytes': (request, chance) => {
    const changed = Buffer.from(request);
    for (let times = chance.integer(1, 5); times > 0; times -= 1) {
      changed[chance.integer(0, changed.length - 1)] = chance.integer(0, 255);
    }
    return asIs(changed);
  },
  'not HTTP': (_request, chance) => asIs(chance.pick(notHttp)),
  noise: (_request, chance) => asIs(chance.bytes(chance.integer(1, 500))),
};

/** A request with a fault on the connection. */
export function wireFault(request: Buffer, chance: Chance): WireFault {
  const name = chance.pick(Object.keys(faults));
  return { name, ...faults[name]!(request, chance) };
}
