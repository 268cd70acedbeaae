import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from './http-client.ts';

/** Repeats `work`, `inFlight` at a time, for `seconds`; returns completions per second. */
export async function perSecond(
  inFlight: number,
  seconds: number,
  work: (worker: number) => Promise<void>,
): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let done = 0;
  const workers = Array.from({ length: inFlight }, async (_, worker) => {
    while (performance.now() < end) {
      await work(worker);
      done += 1;
    }
  });
  await Promise.all(workers);
  return done / ((performance.now() - begin) / 1000);
}

/** Repeats `work` at a rate for `seconds`, at most `inFlight` at a time. */
export async function atRate(
  rate: number,
  inFlight: number,
  seconds: number,
  work: (worker: number) => Promise<void>,
): Promise<void> {
  const begin = performance.now();
  const workers = Array.from({ length: inFlight }, async (_, worker) => {
    const repeats = Math.floor((rate * seconds) / inFlight);
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const due = begin + ((repeat + worker / inFlight) * inFlight * 1_000) / rate;
      await sleep(Math.max(0, due - performance.now()));
      await work(worker);
    }
  });
  await Promise.all(workers);
}

/** Repeats one request, one at a time; returns the time in ms that 99 of 100 do not exceed. */
export async function p99Of(port: number, request: string, seconds: number): Promise<number> {
  const connection = await RawConnection.open(port);
  const times: number[] = [];
  try {
    await perSecond(1, seconds, async () => {
      const begin = performance.now();
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`the response is ${status}`);
      times.push(performance.now() - begin);
    });
  } finally {
    connection.close();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

/**
 * Keeps this process from sleeping until the end of the work: on a virtual machine, waking it can cost the server
 * more than a short call does. Only for servers that leave a core to this process.
 */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  return work().finally(() => {
    isOver = true;
  });
}

/** Repeats requests in turn over keep-alive connections; returns requests per second. */
export async function requestsPerSecond(
  port: number,
  request: string | readonly string[],
  inFlight: number,
  seconds: number,
): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => RawConnection.open(port)),
  );
  const requests = [request].flat().map((text) => Buffer.from(text));
  let sent = 0;
  try {
    return await perSecond(inFlight, seconds, async (worker) => {
      const bytes = requests[sent % requests.length]!;
      sent += 1;
      const { status } = await connections[worker]!.send(bytes);
      if (status !== 200) throw new Error(`the response is ${status}`);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
