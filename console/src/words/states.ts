/** Texts for states and failures. */
import type { AttemptError, Delivery, Endpoint } from '../api/types.ts';

/** The name and colour of a state. */
export interface StateWords {
  name: string;
  color: string;
}

export const endpointStates: Readonly<Record<Endpoint['state'], StateWords>> = {
  active: { name: 'Active', color: 'teal' },
  paused: { name: 'Paused', color: 'yellow' },
  disabled: { name: 'Disabled', color: 'red' },
};

/** Why an endpoint is not active, and what to do about it. */
export const stateReasons: Readonly<Record<NonNullable<Endpoint['stateReason']>, string>> = {
  by_hand: 'Paused by hand. Nothing is sent until you resume it.',
  failing: 'Paused because every attempt failed for five days. Mend the receiver, then resume it.',
  gone: 'Disabled because it answered 410 Gone. Resume it if it is there again.',
};

export const deliveryStates: Readonly<Record<Delivery['state'], StateWords>> = {
  pending: { name: 'Pending', color: 'blue' },
  delivered: { name: 'Delivered', color: 'teal' },
  exhausted: { name: 'Failed', color: 'red' },
};

/** Why an attempt failed. */
export const attemptErrors: Readonly<Record<AttemptError, string>> = {
  timeout: 'No whole answer within 15 seconds',
  connection: 'The connection was refused, or broke off',
  tls: 'No trusted TLS connection: look at the certificate and its name',
  dns: 'The name of the host was not found',
  forbidden_address: 'The host has a private or special address, to which nothing is sent',
  redirect: 'A redirect: redirects are not followed, so enter the final URL',
  status: 'An answer outside 200 to 299',
  response_too_long: 'An answer longer than 16 KB',
  interrupted: 'Interrupted on our side: it is attempted again',
  secret_unreadable: 'The signing secret cannot be read on our side: rotate it',
  unrecorded: 'Sent, but its result could not be recorded on our side',
};

/** The result of the last attempt, as a short text. */
export function outcomeText(lastStatus: number | null, lastError: AttemptError | null): string {
  if (lastStatus !== null && (lastError === null || lastError === 'status')) return `${lastStatus}`;
  if (lastError === null) return '–';
  const words = attemptErrors[lastError];
  return lastStatus === null ? words : `${lastStatus}: ${words}`;
}
