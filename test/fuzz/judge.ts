/** The properties of every response, for any request. */
import { errors, tokenErrors } from '../../src/contract/errors.ts';
import { checkAgainstDocument, checkAgainstOperatorDocument } from '../harness/document.ts';
import type { RawResponse } from '../harness/raw-http.ts';
import { uuid } from '../harness/uuids.ts';

const envelopeMembers = new Set([
  'code',
  'message',
  'requestId',
  'retryable',
  'retryAfterSeconds',
  'details',
]);

interface Envelope {
  code: keyof typeof errors;
  message: string;
  requestId: string;
  retryable: boolean;
  retryAfterSeconds?: number;
  details?: { fields?: { path: string; message: string }[] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function envelopeFault(error: Envelope, { status, headers }: RawResponse): string | null {
  const known = Object.hasOwn(errors, error.code) ? errors[error.code] : undefined;
  if (known?.status !== status) return `code ${error.code} with status ${status}`;
  if (error.requestId !== headers.get('x-request-id')) return 'requestId is not x-request-id';
  if (error.retryable !== known.retryable) return 'retryable is wrong';
  if (typeof error.message !== 'string' || error.message === '') return 'no message';
  const stranger = Object.keys(error).find((name) => !envelopeMembers.has(name));
  if (stranger !== undefined) return `the envelope has ${stranger}`;
  const { retryAfterSeconds } = error;
  const inHeader = headers.get('retry-after');
  if (String(retryAfterSeconds ?? null) !== String(inHeader)) return 'Retry-After differs';
  const named = error.details?.fields?.length ?? 0;
  if (error.code === 'invalid_input' && named === 0) return 'invalid_input names no field';
  return null;
}

function tokenErrorFault(body: Record<string, unknown>, { status }: RawResponse): string | null {
  const code = String(body['error']) as keyof typeof tokenErrors;
  if (tokenErrors[code] !== status) return `token error ${code} with status ${status}`;
  return typeof body['error_description'] === 'string' ? null : 'no error_description';
}

function errorFault(response: RawResponse, body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return 'an error without a body';
  const { error } = body as { error?: unknown };
  if (typeof error === 'string') return tokenErrorFault(body as Record<string, unknown>, response);
  if (typeof error !== 'object' || error === null) return 'no envelope';
  return envelopeFault(error as Envelope, response);
}

const isAllowed5xx = (response: RawResponse, body: unknown): boolean =>
  response.status === 503 &&
  (body as { error?: Envelope } | undefined)?.error?.code === 'not_configured';

function documentFault(operationId: string, status: number, body: unknown): string | null {
  const check = operationId.startsWith('operator.')
    ? checkAgainstOperatorDocument
    : checkAgainstDocument;
  try {
    check(operationId, status, body);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// The start page and the pages that it links to are not operations of the contract.
const isPage = ({ status, headers }: RawResponse): boolean =>
  status === 200 && headers.get('content-type') === 'text/html; charset=utf-8';

/** The fault of a response, or null. `operationId`: the operation that must have sent it, if known. */
export function faultOf(
  response: RawResponse,
  { operationId, isBodyless }: { operationId: string | null; isBodyless: boolean },
): string | null {
  const { status, headers, text } = response;
  if (!uuid.test(headers.get('x-request-id') ?? '')) return 'no x-request-id';
  if (isBodyless || status === 304) return status >= 500 ? `status ${status}` : null;
  if (operationId === null && isPage(response)) return null;
  if (status === 204) return text === '' ? null : 'a 204 with a body';
  const body = parsed(text);
  if (body === undefined) return 'the body is not JSON';
  if (!headers.get('content-type')?.startsWith('application/json')) return 'not said to be JSON';
  if (status >= 500 && !isAllowed5xx(response, body)) return `status ${status}`;
  const fault = status >= 400 ? errorFault(response, body) : null;
  if (fault !== null || operationId === null) return fault;
  return documentFault(operationId, status, body);
}
