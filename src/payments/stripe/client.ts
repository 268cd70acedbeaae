import { AsyncLocalStorage } from 'node:async_hooks';
import type { Stripe } from 'stripe';
import { repeated, type Repeats } from './repeats.ts';
import { openSend, type Send } from './send.ts';

/** The account at the provider. */
export interface StripeAccount {
  secretKey: string;
  /** Null: the provider's own address. */
  apiUrl: URL | null;
}

/** The provider's client, whose calls end when a signal ends. */
export interface StripeClient {
  stripe: Stripe;
  /**
   * Calls the provider, again after a short fault. An aborted signal closes the connection, and the call rejects.
   */
  call<T>(signal: AbortSignal, ask: (stripe: Stripe) => Promise<T>): Promise<T>;
}

// For a call whose caller sets no shorter deadline.
const timeoutMs = 30_000;

const addressOf = (url: URL | null) =>
  url && {
    host: url.hostname,
    port: url.port || (url.protocol === 'http:' ? '80' : '443'),
    protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
  };

/**
 * Creates the client. The package repeats nothing by itself: it repeats a call whose connection was closed even with
 * `maxNetworkRetries: 0`, but not one of `fetch`, whose errors carry no code. It sends no telemetry.
 *
 * @param repeats how a call is repeated after a short fault
 * @param send sends a request; in tests, to a stand-in without sockets
 */
export async function createStripeClient(
  { secretKey, apiUrl }: StripeAccount,
  repeats: Repeats,
  send?: Send,
): Promise<StripeClient> {
  // Loading takes a quarter of a second, which a service without keys need not spend.
  const { Stripe } = await import('stripe');
  const sending = send ?? (await openSend());
  const ending = new AsyncLocalStorage<AbortSignal>();
  const endable: Send = (url, init) => {
    const signals = [ending.getStore(), init?.signal].filter((signal) => signal != null);
    return sending(url, { ...init, signal: AbortSignal.any(signals) });
  };
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(endable as typeof fetch),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
    appInfo: { name: 'Latchkey' },
    ...addressOf(apiUrl),
  });
  return {
    stripe,
    call: (signal, ask) => repeated(repeats, signal, () => ending.run(signal, () => ask(stripe))),
  };
}
