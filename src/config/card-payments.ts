import type { Environment } from '../contract/wire.ts';
import type { StripeSettings } from '../payments/index.ts';
import { hostOf } from '../platform/sending/host.ts';
import { loopback, type Reader } from './reader.ts';

/** The account at the card provider, and the secret that signs its events. */
export interface CardPaymentSettings extends StripeSettings {
  webhookSecret: string;
}

const required = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
const names = [...required, 'STRIPE_API_URL'] as const;

type KeyName = (typeof required)[number];
type Mode = 'test' | 'live';

/** The form of each value in both modes of the provider. A restricted key (`rk_`) is a secret key too. */
const forms: Readonly<Record<KeyName, (mode: Mode) => RegExp>> = {
  STRIPE_SECRET_KEY: (mode) => new RegExp(`^[sr]k_${mode}_\\w+$`),
  STRIPE_PUBLISHABLE_KEY: (mode) => new RegExp(`^pk_${mode}_\\w+$`),
  STRIPE_WEBHOOK_SECRET: () => /^whsec_\S+$/,
};

const examples: Readonly<Record<KeyName, (mode: Mode) => string>> = {
  STRIPE_SECRET_KEY: (mode) => `sk_${mode}_… or rk_${mode}_…`,
  STRIPE_PUBLISHABLE_KEY: (mode) => `pk_${mode}_…`,
  STRIPE_WEBHOOK_SECRET: () => 'whsec_…',
};

const otherMode = { test: 'live', live: 'test' } as const;

const why = {
  test: 'is a live key, and a booking in test must never move real money: use the key of the test mode.',
  live: 'is a test key, and with it no money would move in live: use the live key.',
} as const;

function checkKey(reader: Reader, name: KeyName, value: string, mode: Mode): void {
  if (forms[name](mode).test(value)) return;
  const isOfOtherMode = forms[name](otherMode[mode]).test(value);
  const form = `must be ${examples[name](mode)}, as the provider's dashboard shows it.`;
  reader.wrong(name, isOfOtherMode ? why[mode] : form);
}

function apiUrlOf(reader: Reader, mode: Mode): URL | null {
  const text = reader.text('STRIPE_API_URL');
  if (text === null) return null;
  const url = URL.parse(text);
  if (mode === 'live') {
    reader.wrong('STRIPE_API_URL', 'is for a stand-in in test: unset it in live.');
  } else if (url === null || url.origin !== text.replace(/\/$/, '') || !loopback.has(hostOf(url))) {
    reader.wrong('STRIPE_API_URL', 'must be an http or https URL of this machine without path.');
  }
  return url;
}

/**
 * Reads the settings of card payments: all or none, and the keys of the provider's mode that belongs to
 * the environment. Null: there is no card provider. Spec: ENVIRONMENT-4.
 */
export function cardPaymentsOf(
  reader: Reader,
  environment: Environment,
): CardPaymentSettings | null {
  const first = names.find((name) => reader.text(name) !== null);
  if (first === undefined) return null;
  if (environment === 'simulation') {
    reader.wrong(first, 'has no use in the simulation, which plays the card provider: unset it.');
    return null;
  }
  for (const name of required) {
    const value = reader.text(name);
    if (value === null) reader.wrong(name, `is required beside ${first}.`);
    else checkKey(reader, name, value, environment);
  }
  const apiUrl = apiUrlOf(reader, environment);
  const [secretKey = '', publishableKey = '', webhookSecret = ''] = required.map(
    (name) => reader.text(name) ?? '',
  );
  return { secretKey, publishableKey, webhookSecret, apiUrl };
}
