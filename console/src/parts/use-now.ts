import { useSyncExternalStore } from 'react';

const tickMs = 1000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Nobody has read the time while nobody listened.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** What is made of the time, read again every second; the component is only drawn when it has changed. */
export const useNow = <Made extends string | boolean>(make: (now: number) => Made): Made =>
  useSyncExternalStore(subscribe, () => make(now));
