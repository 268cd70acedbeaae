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
  // Without listeners the time was not updated.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A value derived from the current time, every second. Renders again only if the value changes. */
export const useNow = <Made extends string | boolean>(make: (now: number) => Made): Made =>
  useSyncExternalStore(subscribe, () => make(now));
