/** Texts for states and failures. */
import type { StateLabel } from '../components/state-badge.tsx';
import type { AttemptError, Delivery, Endpoint } from './types.ts';

export const endpointStates: Readonly<Record<Endpoint['state'], StateLabel>> = {
  active: { name: 'Active', color: 'teal' },
  paused: { name: 'Paused', color: 'yellow' },
  disabled: { name: 'Disabled', color: 'red' },
};

/** Why an endpoint is not active, and what to do about it. */
export const stateReasons: Readonly<Record<NonNullable<Endpoint['stateReason']>, string>> = {
  by_hand: 'Paused manually. Nothing is sent until you resume it.',
  failing:
    'Paused because every attempt failed for five days. Repair the receiver, then resume the endpoint.',
  gone: 'Disabled because the receiver returned 410 Gone. Resume the endpoint if the receiver works again.',
};

export const deliveryStates: Readonly<Record<Delivery['state'], StateLabel>> = {
  pending: { name: 'Pending', color: 'blue' },
  retrying: { name: 'Retrying', color: 'orange' },
  delivered: { name: 'Delivered', color: 'teal' },
  exhausted: { name: 'Failed', color: 'red' },
};

/** Why an attempt failed. */
export const attemptErrors: Readonly<Record<AttemptError, string>> = {
  timeout: 'No complete response within 15 seconds',
  connection: 'The connection was refused or interrupted',
  tls: 'The TLS connection failed: check the certificate and its name',
  dns: 'The host name could not be resolved',
  forbidden_address: 'The host has a private or special address, which is not allowed',
  redirect: 'Redirects are not followed: enter the final URL',
  status: 'The response status was not 200 to 299',
  response_too_long: 'The response headers were longer than 16 KB',
  interrupted: 'Interrupted on our side; it is attempted again',
  secret_unreadable: 'The signing secret cannot be read on our side: rotate it',
  unrecorded: 'Sent, but its result could not be recorded on our side',
};

/** The result of the last attempt, as a short text. */
export function outcomeText(lastStatus: number | null, lastError: AttemptError | null): string {
  if (lastStatus !== null && (lastError === null || lastError === 'status')) return `${lastStatus}`;
  if (lastError === null) return '–';
  const text = attemptErrors[lastError];
  return lastStatus === null ? text : `${lastStatus}: ${text}`;
}
