/** What was asked for before the code of the page was there. */
import { hashKey, type QueryKey } from '@tanstack/react-query';

declare global {
  interface Window {
    /** The answers by the keys of their queries. Another script than that of the page has put them here. */
    latchkeyReads?: Map<string, Promise<unknown>>;
  }
}

// Of another page, or too old.
const usableMs = 5_000;

/** Keeps an answer that is on its way. A failure says nothing: the page asks again. */
export function keepRead(key: QueryKey, answer: Promise<unknown>): void {
  answer.catch(() => undefined);
  (window.latchkeyReads ??= new Map()).set(hashKey(key), answer);
}

/** Takes an answer that is on its way, once. Undefined: there is none. */
export function takeRead(key: QueryKey): Promise<unknown> | undefined {
  const name = hashKey(key);
  const answer = window.latchkeyReads?.get(name);
  window.latchkeyReads?.delete(name);
  // Since the document was asked for.
  return performance.now() < usableMs ? answer : undefined;
}
