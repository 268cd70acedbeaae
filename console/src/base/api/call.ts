/** Calls of the APIs of pages, and their failures. */
import { unknownPath } from '#contract/errors.ts';
import { basePath } from '../../base-path.ts';

/** The envelope of an error. */
interface ErrorEnvelope {
  error: {
    code: string;
    message: string;
    requestId: string;
    retryable: boolean;
    retryAfterSeconds?: number;
    details?: { reason?: string; fields?: { path: string; message: string }[] };
  };
}

const otherRelease =
  'Latchkey is being upgraded: this page and the process that answered are of different versions. Try again in a minute. If that does not help, load the page again.';

/** A call that was refused or did not reach the service. */
export class CallFailure extends Error {
  /** 0: no response. */
  readonly status: number;
  readonly code: string;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly { path: string; message: string }[];
  /** What a reason has beside it. */
  readonly details: object;
  /** The process that was asked is of a release that does not have this call, as during an upgrade. */
  readonly isOfOtherRelease: boolean;

  constructor(status: number, requestId: string | undefined, envelope?: ErrorEnvelope) {
    const unreachable = 'Latchkey cannot be reached. Check your connection.';
    const unreadable = `Latchkey returned status ${status} with an unexpected body.`;
    const isOfOtherRelease = envelope?.error.message === unknownPath;
    super(
      isOfOtherRelease
        ? otherRelease
        : (envelope?.error.message ?? (status === 0 ? unreachable : unreadable)),
    );
    this.status = status;
    this.code = envelope?.error.code ?? 'unreachable';
    this.reason = envelope?.error.details?.reason;
    this.requestId = envelope?.error.requestId ?? requestId;
    this.fields = envelope?.error.details?.fields ?? [];
    this.details = envelope?.error.details ?? {};
    this.isOfOtherRelease = isOfOtherRelease;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const accept = 'application/json';

const isEnvelope = (value: unknown): value is ErrorEnvelope =>
  typeof value === 'object' && value !== null && 'error' in value;

async function failureOf(response: Response): Promise<CallFailure> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  return new CallFailure(response.status, requestId, isEnvelope(body) ? body : undefined);
}

/** Makes the function that calls the operations below a path. It throws a {@link CallFailure} unless they succeed. */
export const callerOf =
  (prefix: '/portal/v1' | '/operator/v1') =>
  async <Body>(
    method: Method,
    path: string,
    options: { body?: object; bytes?: Blob | Uint8Array<ArrayBuffer>; signal?: AbortSignal } = {},
  ): Promise<Body> => {
    const { body, bytes, signal } = options;
    const response = await fetch(`${basePath}${prefix}${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        accept,
        ...(body && { 'content-type': accept }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    }).catch((thrown: unknown) => {
      if (signal?.aborted) throw thrown;
      throw new CallFailure(0, undefined);
    });
    if (!response.ok) throw await failureOf(response);
    return (response.status === 204 ? undefined : await response.json()) as Body;
  };

/** The query string of the values that are set, with the question mark. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
