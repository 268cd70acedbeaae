/** Calls of the portal API, and their failures. */

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

/** A call that was refused or did not reach the service. */
export class CallFailure extends Error {
  /** 0: no response. */
  readonly status: number;
  readonly code: string;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly { path: string; message: string }[];

  constructor(status: number, requestId: string | undefined, envelope?: ErrorEnvelope) {
    const unreached = 'Latchkey cannot be reached. Look at your connection.';
    const unread = `Latchkey answered ${status}, and nothing that this page understands.`;
    super(envelope?.error.message ?? (status === 0 ? unreached : unread));
    this.status = status;
    this.code = envelope?.error.code ?? 'unreachable';
    this.reason = envelope?.error.details?.reason;
    this.requestId = envelope?.error.requestId ?? requestId;
    this.fields = envelope?.error.details?.fields ?? [];
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const json = { accept: 'application/json', 'content-type': 'application/json' };

const isEnvelope = (value: unknown): value is ErrorEnvelope =>
  typeof value === 'object' && value !== null && 'error' in value;

async function failureOf(answer: Response): Promise<CallFailure> {
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  const body: unknown = await answer.json().catch(() => undefined);
  return new CallFailure(answer.status, requestId, isEnvelope(body) ? body : undefined);
}

/** Calls an operation below `/portal/v1`. Throws a {@link CallFailure} unless it succeeds. */
export async function call<Answer>(
  method: Method,
  path: string,
  options: { body?: object; signal?: AbortSignal } = {},
): Promise<Answer> {
  const { body, signal } = options;
  const answer = await fetch(`/portal/v1${path}`, {
    method,
    credentials: 'same-origin',
    headers: body ? json : { accept: json.accept },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown;
    throw new CallFailure(0, undefined);
  });
  if (!answer.ok) throw await failureOf(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

/** The query string of the values that are set, with the question mark. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (set.length === 0) return '';
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
