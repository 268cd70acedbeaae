import { RawConnection } from './http-client.ts';

/** Runs `work` over and over, `inFlight` at a time, for so long; returns how often a second it was done. */
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

/** Requests a second: the same one again and again over keep-alive connections. */
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
      if (status !== 200) throw new Error(`answered ${status}`);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
