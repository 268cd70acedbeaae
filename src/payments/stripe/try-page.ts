import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escaped, writePage } from '../../api/pages/page-layout.ts';
import type { FieldsState, TryPage } from '../ports/try-page.ts';
import { usualRepeats } from './repeats.ts';
import { createStripeClient, type StripeAccount, type StripeClient } from './client.ts';
import { failureOf } from './failure.ts';
import { stateOf } from './states.ts';

// The version of the script that belongs to the API version of the package.
const providerScript = 'https://js.stripe.com/endive/stripe.js';

const address = '/payments/stripe/try';

/** The provider's script and frames, its API, and our own files; nothing inline, and no call to this service. */
const policy = [
  "default-src 'none'",
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  'connect-src https://api.stripe.com',
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const write = (base: string): string =>
  writePage(base, {
    title: 'Try a card · Latchkey',
    kind: 'guide',
    content: `<main id="content">
      <h1>Try a card</h1>
      <p>These are the card fields of the provider in its test mode: they take only test cards, such as 4242 4242 4242 4242 with any later date and any code. What you type goes to the provider, never to Latchkey.</p>
      <form id="card">
        <div id="fields"></div>
        <p><button id="confirm" disabled>Keep the card</button></p>
        <p id="message" role="status"></p>
      </form>
      <noscript><p>The card fields need JavaScript.</p></noscript>
    </main>
    <script src="${escaped(providerScript)}"></script>
    <script src="${base}${address}/page.js"></script>`,
  });

// The parts contain no underscore, so there is only one way to match, in linear time.
const form = /^((?:seti|pi)_[a-z\d]+)_secret_[a-z\d]+$/i;

const none = { outcome: 'done', state: null } as const;

async function readState(
  { call }: StripeClient,
  [clientSecret, reference]: readonly [string, string],
  signal: AbortSignal,
): Promise<FieldsState | null> {
  const intent = reference.startsWith('seti_')
    ? await call(signal, (stripe) => stripe.setupIntents.retrieve(reference))
    : await call(signal, (stripe) => stripe.paymentIntents.retrieve(reference));
  if (intent.client_secret !== clientSecret) return null;
  const method = intent.payment_method;
  const isDone =
    intent.object === 'setup_intent'
      ? intent.status === 'succeeded'
      : !['action_needed', 'none'].includes(stateOf(intent) ?? 'none');
  return { isDone, paymentMethodId: typeof method === 'string' ? method : (method?.id ?? null) };
}

/** The page to try the card fields of an account in its test mode. */
export async function stripeTryPage(account: StripeAccount): Promise<TryPage> {
  const client = await createStripeClient(account, usualRepeats);
  return {
    path: address,
    policy,
    write,
    script: readFileSync(path.join(import.meta.dirname, 'try-page.js'), 'utf8'),
    async findState(clientSecret, signal) {
      const [, reference] = form.exec(clientSecret) ?? [];
      if (reference === undefined) return none;
      try {
        const state = await readState(client, [clientSecret, reference], signal);
        return { outcome: 'done', state };
      } catch (error) {
        return failureOf(error).kind === 'invalid' ? none : { outcome: 'unknown' };
      }
    },
  };
}
