/** The thread of `WaitProbe`. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProbedRead, Waits } from './wait-probe.ts';

const pauseMs = 5;

let read = workerData as ProbedRead;
let waits: Waits = { reads: 0, worstMs: 0 };
let began: number | null = null;

function note(): void {
  if (began === null) return;
  waits.worstMs = Math.max(waits.worstMs, performance.now() - began);
}

/** Sends one request and waits for the first bytes of its response. */
function once({ port, request }: ProbedRead): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    // A connection that is refused or cut off has waited, too.
    socket.once('error', () => resolve());
    socket.once('close', () => resolve());
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}

parentPort!.on('message', (next: ProbedRead | null) => {
  note();
  parentPort!.postMessage(waits, []);
  waits = { reads: 0, worstMs: 0 };
  read = next ?? read;
});

for (;;) {
  began = performance.now();
  await once(read);
  note();
  began = null;
  waits.reads += 1;
  await sleep(pauseMs);
}
