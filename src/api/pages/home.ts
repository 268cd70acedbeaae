import type { Environment } from '../../contract/wire.ts';
import { writePage } from './page-layout.ts';

const simulated = `Start the simulation with <code>npm ci &amp;&amp; npm start</code>: the IDs and keys of two applications are then in <code>.latchkey/sandbox-credentials.json</code>.`;
const askOperator = `Ask the operator for an application ID and its key.`;

/** How to get credentials. */
const firstStep: Readonly<Record<Environment, string>> = {
  simulation: simulated,
  test: askOperator,
  live: askOperator,
};

/** Writes the start page at `/`. */
export function homePage(base: string, baseUrl: string, environment: Environment): string {
  const content = `<main id="content">
      <h1>Latchkey</h1>
      <p>Partners search, price and reserve vacation homes here, from server to server, with JSON over HTTPS. This is the environment <code>${environment}</code>.</p>
      <h2>Begin in three steps</h2>
      <ol>
        <li>${firstStep[environment]}</li>
        <li>Get an access token: <code>curl ${baseUrl}/oauth/token -u "$APPLICATION_ID:$APPLICATION_KEY" -d grant_type=client_credentials</code></li>
        <li>Make a call: <code>curl ${baseUrl}/v1/site -H "Authorization: Bearer $TOKEN"</code>. <a href="${base}/docs/partners/first-booking">Your first booking</a> continues from there.</li>
      </ol>
      <h2>Where everything is</h2>
      <ul class="places">
        <li><a href="${base}/docs"><strong>Reference</strong>Every operation with its errors and examples, ready to try.</a></li>
        <li><a href="${base}/docs/guides"><strong>Guides</strong>Bookings step by step, errors and retries, events, webhooks; running Latchkey.</a></li>
        <li><a href="${base}/portal"><strong>Portal</strong>A partner's webhooks, events and calls. The operator issues the link.</a></li>
        <li><a href="${base}/openapi.json"><strong>OpenAPI 3.1</strong>The contract for generators: <code>openapi.json</code></a></li>
      </ul>
    </main>`;
  return writePage(base, { title: 'Latchkey', kind: 'home', content });
}
