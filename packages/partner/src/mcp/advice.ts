/** What an agent is told when a call does not succeed: what happened, and what to do. */
import { LatchkeyError, NoAnswerError } from '../client/errors.ts';
import type { ServiceError } from '../contract/types.ts';

const advice = {
  invalid_input: 'Correct the members that the details name, and call again.',
  unauthenticated:
    'Nothing in this conversation can repair it. Tell whoever runs this server to run `latchkey-partner doctor`.',
  forbidden:
    'This application may not do that. Tell whoever runs this server that the operator has to grant the scope in the details.',
  not_found: 'There is no such home, quote or request. Search again, or make a new quote.',
  conflict:
    'Read the reason in the details. If nights are taken, offer the alternatives in the details or search again; if the terms are others, make a new quote and show it to the guest.',
  policy_restricted:
    'The home does not take this stay. The details say what it would take: change dates, nights or party.',
  rate_limited: 'Wait for the seconds in the details, then call again. Do not call in a loop.',
  quote_expired: 'Make a new quote, and show its price to the guest before you go on.',
  invalid_state: 'Read the reservation request: it says what is possible now.',
  precondition_failed: 'It has changed meanwhile: read it again.',
  payment_not_required: 'Nothing has to be paid here: go on without a payment.',
  resync_required: 'Begin again without the cursor.',
  internal:
    'The service has failed. Try once more in a minute, then give the request ID to its support.',
  unavailable: 'The service cannot answer now. Try again in a minute.',
  not_configured:
    'The service does not offer this to the application: requests are only for applications that settle with their guests themselves.',
  unresolved:
    'It is not known whether this took effect. Call the same tool again with the same input: it finds out, and never books twice.',
} as const satisfies Record<ServiceError['code'], string>;

const adviceOf = (code: string): string =>
  Object.hasOwn(advice, code)
    ? advice[code as keyof typeof advice]
    : 'Read the message, and do not repeat the call unchanged.';

const refused = ({ error, requestId }: LatchkeyError): string => {
  const { code, message } = error;
  const { details, retryAfterSeconds } = error as { details?: object; retryAfterSeconds?: number };
  const shown = { ...details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return [
    `${code}: ${message}`,
    adviceOf(code),
    ...(Object.keys(shown).length > 0 ? [`Details: ${JSON.stringify(shown)}`] : []),
    `Request ID: ${requestId}`,
  ].join('\n');
};

/** The text of a failed call. Null: it is a defect of this program. */
export function failureText(error: unknown): string | null {
  if (error instanceof LatchkeyError) return refused(error);
  if (error instanceof NoAnswerError) {
    return [
      `no_answer: ${error.message}`,
      'The service could not be reached. Call again in a minute, with the same input: a reservation is never made twice. If it stays so, tell whoever runs this server.',
    ].join('\n');
  }
  return null;
}
