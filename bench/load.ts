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

/** Repeats one request over keep-alive connections; returns requests per second. */
export async function requestsPerSecond(
  port: number,
  request: string,
  inFlight: number,
  seconds: number,
): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => RawConnection.open(port)),
  );
  const bytes = Buffer.from(request);
  try {
    return await perSecond(inFlight, seconds, async (worker) => {
      const { status } = await connections[worker]!.send(bytes);
      if (status !== 200) throw new Error(`the response is ${status}`);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
