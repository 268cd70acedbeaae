import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createStripeProvider } from '../../src/payments/index.ts';
import { serveStandIn } from '../harness/stripe/server.ts';
import { type Fault, StandIn } from '../harness/stripe/stand-in.ts';

const settings = { secretKey: 'sk_test_standin', publishableKey: 'pk_test_standin' };
const cardRequest = {
  applicationId: 'a',
  checkoutId: 'c',
  attemptId: '01939f2e-0000-7000-8000-00000000000a',
  number: 1,
  guest: null,
  currency: 'EUR',
  amountsMinor: [5_000],
};

/** Asks over a socket, with this fault at every call. */
async function prepare(fault: Fault | null, deadlineMs = 30_000) {
  const standIn = new StandIn({ faultOf: () => fault });
  const server = await serveStandIn(standIn);
  try {
    const provider = await createStripeProvider({ ...settings, apiUrl: new URL(server.url) });
    const answer = await provider.prepareCard(cardRequest, AbortSignal.timeout(deadlineMs));
    return { answer, calls: standIn.calls.map(({ name }) => name) };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

describe('card provider over HTTP', () => {
  test('the package speaks to the address of the setting', async () => {
    const { answer, calls } = await prepare(null);
    assert.equal(answer.outcome, 'done');
    assert.deepEqual(calls, ['POST /v1/customers', 'POST /v1/setup_intents']);
  });

  test('an answer that takes its time is an answer', async () => {
    assert.equal((await prepare('delay')).answer.outcome, 'done');
  });

  const repeatedThrice = { cut_before: 3, cut_after: 3, '429': 3, '500_before': 0 } as const;
  for (const [fault, repeats] of Object.entries(repeatedThrice)) {
    test(`${fault}: the call is repeated ${repeats} times by us, and never by the package`, async () => {
      const { calls } = await prepare(fault as Fault);
      assert.deepEqual(calls, Array(repeats + 1).fill('POST /v1/customers'));
    });
  }

  test('no answer by the end of the signal: unknown', async () => {
    const { answer, calls } = await prepare('late', 300);
    assert.deepEqual(answer, { outcome: 'unknown' });
    assert.equal(calls.length, 1);
  });
});
