/** The keys of the card provider: none, or all of one mode, which must be that of the environment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { key, problems } from '../../test/harness/config-problems.ts';
import { readConfig } from './config.ts';

describe('configuration: card payments', () => {
  const keysOf = (mode: string) => ({
    STRIPE_SECRET_KEY: `sk_${mode}_hush`,
    STRIPE_PUBLISHABLE_KEY: `pk_${mode}_hush`,
    STRIPE_WEBHOOK_SECRET: 'whsec_hush',
  });
  const test = { LATCHKEY_ENVIRONMENT: 'test', ...keysOf('test') };
  const live = {
    LATCHKEY_ENVIRONMENT: 'live',
    LATCHKEY_MASTER_KEY: key.toString('base64'),
    ...keysOf('live'),
  };

  it('are off without keys', () => {
    assert.equal(readConfig({ LATCHKEY_ENVIRONMENT: 'test' }).cardPayments, null);
  });

  // Spec: ENVIRONMENT-4.
  it('take the keys of the test mode in test, perhaps with a stand-in', () => {
    const settings = {
      secretKey: 'sk_test_hush',
      publishableKey: 'pk_test_hush',
      webhookSecret: 'whsec_hush',
    };
    assert.deepEqual(readConfig(test).cardPayments, { ...settings, apiUrl: null });
    const apiUrl = new URL('http://127.0.0.1:9');
    const withStandIn = { ...test, STRIPE_API_URL: 'http://127.0.0.1:9' };
    assert.deepEqual(readConfig(withStandIn).cardPayments, { ...settings, apiUrl });
  });

  const cases: readonly { name: string; env: NodeJS.ProcessEnv; problem: RegExp | null }[] = [
    { name: 'live keys in live', env: live, problem: null },
    {
      name: 'a restricted key',
      env: { ...test, STRIPE_SECRET_KEY: 'rk_test_hush' },
      problem: null,
    },
    {
      name: 'a live secret key in test',
      env: { ...test, STRIPE_SECRET_KEY: 'sk_live_hush' },
      problem: /^STRIPE_SECRET_KEY is a live key, .* use the key of the test mode\.$/,
    },
    {
      name: 'a test secret key in live',
      env: { ...live, STRIPE_SECRET_KEY: 'rk_test_hush' },
      problem: /^STRIPE_SECRET_KEY is a test key, .* use the live key\.$/,
    },
    {
      name: 'a live publishable key in test',
      env: { ...test, STRIPE_PUBLISHABLE_KEY: 'pk_live_hush' },
      problem: /^STRIPE_PUBLISHABLE_KEY is a live key/,
    },
    {
      name: 'a secret key where the publishable one belongs',
      env: { ...test, STRIPE_PUBLISHABLE_KEY: 'sk_test_hush' },
      problem: /^STRIPE_PUBLISHABLE_KEY must be pk_test_…/,
    },
    {
      name: 'a webhook secret without its prefix',
      env: { ...test, STRIPE_WEBHOOK_SECRET: 'hush' },
      problem: /^STRIPE_WEBHOOK_SECRET must be whsec_…/,
    },
    {
      name: 'a stand-in in live',
      env: { ...live, STRIPE_API_URL: 'http://127.0.0.1:9' },
      problem: /^STRIPE_API_URL is for a stand-in in test/,
    },
    ...['x', 'http://10.0.0.1', 'https://a.example', 'http://localhost/v1'].map((value) => ({
      name: `a stand-in at ${value}`,
      env: { ...test, STRIPE_API_URL: value },
      problem: /^STRIPE_API_URL must be an http or https URL of this machine without path\.$/,
    })),
    {
      name: 'any of them in the simulation',
      env: keysOf('test'),
      problem: /^STRIPE_SECRET_KEY has no use in the simulation/,
    },
    ...Object.keys(keysOf('test')).map((name) => ({
      name: `the others without ${name}`,
      env: { ...test, [name]: '' },
      problem: new RegExp(`^${name} is required beside STRIPE_`),
    })),
  ];
  for (const { name, env, problem } of cases) {
    it(`${problem ? 'refuses' : 'takes'} ${name}`, () => {
      const found = problems(env);
      assert.equal(found.length, problem ? 1 : 0, found.join('; '));
      if (problem) assert.match(found.join(), problem);
      assert.doesNotMatch(found.join(), /hush/);
    });
  }
});
