import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailure } from './failure.ts';
import type { Narrator } from './narrator.ts';

/** What the page needs. `paymentMethodId`: the card of an earlier setup, to authenticate a payment with it. */
interface CardPage {
  publishableKey: string;
  clientSecret: string;
  paymentMethodId: string | null;
}

interface FieldsState {
  isDone: boolean;
  paymentMethodId: string | null;
}

const path = '/payments/stripe/try';
const readEveryMs = 1_000;
// A quote is valid for fifteen minutes.
const waitMs = 15 * 60_000;

/** Reads what the guest has done. A person takes time, so a failed read is repeated. */
async function readState(baseUrl: string, clientSecret: string): Promise<FieldsState | null> {
  const response = await fetch(`${baseUrl}${path}/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientSecret }),
  }).catch(() => null);
  if (response?.status === 404) {
    throw new DemoFailure(
      'This service does not show card fields: start it in the environment test, with test keys.',
    );
  }
  return response?.ok ? ((await response.json()) as FieldsState) : null;
}

/** Shows the address of the page, and waits until the guest is done there. Returns the payment method. */
export async function payOnPage(
  narrator: Narrator,
  baseUrl: string,
  { publishableKey, clientSecret, paymentMethodId }: CardPage,
): Promise<string> {
  const fragment = new URLSearchParams({ key: publishableKey, secret: clientSecret });
  if (paymentMethodId !== null) fragment.set('method', paymentMethodId);
  narrator.note('Open this address in a browser. The demo continues when you are done there.');
  // Unbroken, so that it can be copied; what follows # is not sent to the service.
  narrator.address(`${baseUrl}${path}#${fragment.toString()}`);
  const end = performance.now() + waitMs;
  while (performance.now() < end) {
    const state = await readState(baseUrl, clientSecret);
    if (state?.isDone && state.paymentMethodId !== null) return state.paymentMethodId;
    await sleep(readEveryMs);
  }
  throw new DemoFailure('Nobody confirmed a card within fifteen minutes: run the demo again.');
}
