/** Uses a core in bursts until it is ended: as long and as often as its parent says. */

/** How long a thread works at a time, and how often. */
export interface Bursts {
  burstMs: number;
  perSecond: number;
}

const never = new Int32Array(new SharedArrayBuffer(4));

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

// Its parent ends it before, unless it has failed.
const mostMs = 120_000;

function work({ burstMs, perSecond }: Bursts): void {
  const begin = performance.now();
  let due = 0;
  let usedMs = cpuMs();
  while (due < mostMs) {
    usedMs += burstMs;
    while (cpuMs() < usedMs);
    // At random, as calls come: a fixed rhythm could always miss what is measured beside it, or always meet it.
    due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    const leftMs = begin + due - performance.now();
    if (leftMs > 0) Atomics.wait(never, 0, 0, leftMs);
  }
}

process.once('message', (bursts: Bursts) =>
  process.send!('works', () => {
    work(bursts);
    process.exit();
  }),
);
