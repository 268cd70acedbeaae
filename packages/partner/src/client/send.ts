import type { ServiceError } from '../contract/types.ts';

/** One request. */
export interface Request {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** What one attempt brought. */
export type Attempt =
  | { kind: 'answered'; status: number; headers: Headers; body: unknown }
  | { kind: 'refused'; status: number; error: ServiceError; retryAfterSeconds: number | undefined }
  /** `status` null: no response. */
  | { kind: 'lost'; status: number | null; cause: unknown };

const seconds = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

interface Envelope {
  error?: Partial<ServiceError> & { retryAfterSeconds?: number };
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A signed report is no JSON. */
const isText = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('application/jose') ?? false;

function attemptOf({ status, headers }: Response, text: string): Attempt {
  const body = isText(headers) ? text : parsed(text);
  const foreign = { kind: 'lost', status, cause: undefined } as const;
  if (body === undefined) return foreign;
  if (status < 300) return { kind: 'answered', status, headers, body };
  const { error } = (body ?? {}) as Envelope;
  if (typeof error !== 'object' || typeof error.code !== 'string') return foreign;
  const retryAfterSeconds = seconds(headers.get('retry-after')) ?? error.retryAfterSeconds;
  return { kind: 'refused', status, error: error as ServiceError, retryAfterSeconds };
}

/** Makes one attempt. Throws only if the caller's signal is aborted. */
export async function send(
  fetching: typeof fetch,
  { url, timeoutMs, signal, ...init }: Request,
): Promise<Attempt> {
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetching(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    });
    return attemptOf(response, await response.text());
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { kind: 'lost', status: null, cause };
  }
}
