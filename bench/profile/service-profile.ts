/** What the functions of a CPU profile belong to. */

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
}

/** As V8 writes it: times in microseconds. */
export interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

// The first that fits.
const kinds: [kind: string, fits: (name: string, url: string) => boolean][] = [
  ['idle', (name) => name === '(idle)'],
  ['garbage collection', (name) => name === '(garbage collector)'],
  ['writes to sockets', (name, url) => url === '' && /^write/i.test(name)],
  ['not JavaScript: reads of sockets, system calls, compiling', (name) => name === '(program)'],
  ['cryptography', (name, url) => /crypto|hmac|hash|sign|verify/i.test(url === '' ? name : url)],
  ['other functions of Node and V8 in C++', (_name, url) => url === ''],
  ['HTTP and streams of Node', (_name, url) => /^node:.*(http|net|stream|tls)/.test(url)],
  ['timers, promises and events of Node', (_name, url) => url.startsWith('node:')],
  // Whoever removes it sees the parts of the bundle.
  [
    'the bundle: our own code, driver, framework',
    (_name, url) => url.includes('/.cache/latchkey/'),
  ],
  ['driver of PostgreSQL', (_name, url) => /node_modules\/pg/.test(url)],
  [
    'Fastify',
    (_name, url) => /node_modules\/(fastify|@fastify|find-my-way|avvio|light-my-request)/.test(url),
  ],
  ['other packages', (_name, url) => url.includes('node_modules/')],
  ['our own code', () => true],
];

const kindOf = ({ functionName, url }: ProfileNode['callFrame']): string =>
  kinds.find(([, fits]) => fits(functionName, url))![0];

/** The time of each kind in milliseconds, the longest first, without idle time. */
export function timesOf({ nodes, samples, timeDeltas }: CpuProfile): [kind: string, ms: number][] {
  const kindById = new Map(nodes.map(({ id, callFrame }) => [id, kindOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const kind = kindById.get(id)!;
    times.set(kind, (times.get(kind) ?? 0) + timeDeltas[at]! / 1_000);
  }
  times.delete('idle');
  return [...times].toSorted(([, one], [, other]) => other - one);
}
