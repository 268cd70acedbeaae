/** What an application that uses the sandbox as much as it can costs another one. */
import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { startBenchSystem } from '../bench-system.ts';
import { cpuMicrosPer } from '../cpu.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import { atRate, perSecond } from '../load.ts';
import type { Measure } from '../measure.ts';

const inFlight = 8;
const secondsPerRound = 4;
/** Calls of the neighbour in a second. */
const neighbourRate = 100;

const site = 'distribution.site.get';
/** The most rules that there may be. The last one acts. */
const rules = [
  ...Array.from({ length: 49 }, () => ({
    match: { operation: site, probability: 0 },
    do: { respond: 503 },
  })),
  { match: { operation: site, every: 2 }, do: { delayMs: 200 } },
];

type Order = (method: string, path: string, body?: object) => Promise<object>;

const requestOf = (token: string, method: string, path: string, body?: object) =>
  requestBytes(method, path, { authorization: `Bearer ${token}` }, body);

/** Makes calls of the sandbox for an application. */
const orderFor =
  (port: number, token: string): Order =>
  async (method, path, body) => {
    const connection = await RawConnection.open(port);
    const request = requestOf(token, method, `/sandbox/v1${path}`, body);
    const { status, body: found } = await connection.send(request);
    connection.close();
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${found.toString()}`);
    return (found.length > 0 ? JSON.parse(found.toString()) : {}) as object;
  };

/** Begins something for the neighbour. Returns what ends it. */
type Begin = (order: Order) => Promise<() => Promise<unknown>>;

/** Sets as many rules as there may be; they are asked at each call, and hold half of them back. */
export const withRules: Begin = async (order) => {
  await order('PUT', '/faults', { rules });
  return () => order('DELETE', '/faults');
};

/** As many rules as there may be, none of which acts. */
const idleRules = rules.map(() => ({
  match: { operation: site, probability: 0 },
  do: { respond: 503 },
}));

/** Starts a scenario of a conformance run: each call is recorded. */
export const withRun: Begin = async (order) => {
  const only = ['token-shared'];
  const run = await order('POST', '/conformance-runs', { profile: 'checkout', only });
  const path = `/conformance-runs/${(run as { runId: string }).runId}`;
  await order('POST', `${path}/scenarios/token-shared/start`);
  return () => order('DELETE', path);
};

/** Reads of one application, while another one reads at a rate; in the figure, what it has begun acts. */
export const measureNeighbour =
  (begin: Begin): Measure['run'] =>
  async (rounds, onRound) => {
    const system = await startBenchSystem();
    const [own, neighbour] = [await system.partner(), await system.partner()];
    const { port } = system.service;
    const connections = await Promise.all(
      Array.from({ length: 2 * inFlight }, () => RawConnection.open(port)),
    );
    const order = orderFor(port, neighbour.token);
    const [ownRead, neighbourRead] = [own, neighbour].map(({ token }) =>
      requestOf(token, 'GET', '/v1/site'),
    ) as [string, string];
    async function readsPerSecond(): Promise<number> {
      const [reads] = await Promise.all([
        perSecond(inFlight, secondsPerRound, async (worker) => {
          const { status } = await connections[worker]!.send(ownRead);
          if (status !== 200) throw new Error(`the response is ${status}`);
        }),
        atRate(neighbourRate, inFlight, secondsPerRound, async (worker) => {
          await connections[inFlight + worker]!.send(neighbourRead);
        }),
      ]);
      return reads;
    }
    try {
      await readsPerSecond();
      for (let round = 0; round < rounds; round += 1) {
        const floor = await readsPerSecond();
        const end = await begin(order);
        const figure = await readsPerSecond();
        await end();
        onRound({ floor, figure });
      }
    } finally {
      connections.forEach((connection) => connection.close());
      await system.close();
    }
  };

/** The CPU time of a read in service and PostgreSQL, without rules; in the figure, while 50 of them are asked at each. */
export const measureRuledRead: Measure['run'] = async (rounds, onRound) => {
  const system = await startBenchSystem();
  const { token } = await system.partner();
  const { port, pid } = system.service;
  const postmaster = await postmasterIn(system.dataDir);
  const order = orderFor(port, token);
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => RawConnection.open(port)),
  );
  const request = requestOf(token, 'GET', '/v1/site');
  const read = async (worker: number): Promise<void> => {
    const { status } = await connections[worker]!.send(request);
    if (status !== 200) throw new Error(`the response is ${status}`);
  };
  const microsPerRead = () =>
    cpuMicrosPer(
      [pid, postmaster],
      async () => (await perSecond(inFlight, secondsPerRound, read)) * secondsPerRound,
    );
  try {
    await microsPerRead();
    for (let round = 0; round < rounds; round += 1) {
      const floor = await microsPerRead();
      await order('PUT', '/faults', { rules: idleRules });
      const figure = await microsPerRead();
      await order('DELETE', '/faults');
      onRound({ floor, figure });
    }
  } finally {
    connections.forEach((connection) => connection.close());
    await system.close();
  }
};
