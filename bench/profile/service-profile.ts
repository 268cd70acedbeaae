/** What the functions of a CPU profile belong to, and which take longest. */
import path from 'node:path';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
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

function nameOf({ functionName, url, lineNumber }: ProfileNode['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${path.basename(url)}:${lineNumber + 1}`;
}

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

/** A function, with its time alone and with all that it calls, in milliseconds. */
export interface FunctionTime {
  name: string;
  self: number;
  total: number;
}

/** The functions with the longest time of their own, without idle time. */
export function slowestFunctions(
  { nodes, samples, timeDeltas }: CpuProfile,
  count: number,
): FunctionTime[] {
  const selfById = new Map<number, number>();
  for (const [at, id] of samples.entries()) {
    selfById.set(id, (selfById.get(id) ?? 0) + timeDeltas[at]! / 1_000);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, FunctionTime>();
  const timeOf = (name: string) =>
    times.getOrInsertComputed(name, () => ({ name, self: 0, total: 0 }));
  /** `callers`: a function that calls itself counts once. */
  function add(node: ProfileNode, callers: ReadonlySet<string>): number {
    const name = nameOf(node.callFrame);
    const self = selfById.get(node.id) ?? 0;
    const inside = new Set(callers).add(name);
    const total = (node.children ?? []).reduce((sum, id) => sum + add(byId.get(id)!, inside), self);
    timeOf(name).self += self;
    if (!callers.has(name)) timeOf(name).total += total;
    return total;
  }
  add(nodes[0]!, new Set());
  times.delete('(idle)');
  return [...times.values()].toSorted((one, other) => other.self - one.self).slice(0, count);
}
