import type { Dispatcher } from 'undici';

/** Sends a request of the provider's package and returns as much of a response as that reads. */
export type Send = (
  url: string | URL | Request,
  init?: RequestInit,
) => Promise<Pick<Response, 'status' | 'headers' | 'text' | 'body'>>;

const hasCode = (error: unknown): boolean => error instanceof Error && 'code' in error;

function failed(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  // The package repeats a call by the code of an error, whatever it is told.
  return hasCode(error) ? new TypeError('the request failed', { cause: error }) : error;
}

function headersOf({ headers }: Dispatcher.ResponseData): Headers {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Headers(pairs);
}

/** Sends by `undici` alone: `fetch` needs three times its processor time, in streams that nobody reads as such. */
export async function openSend(): Promise<Send> {
  // Loading takes a while, which a service without keys need not spend.
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent();
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    try {
      const response = await request(String(url), {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(headers as [string, string][]),
        body: (body as string | undefined) ?? null,
        signal: signal ?? null,
      });
      const text = (): Promise<string> =>
        response.body.text().catch((error: unknown) => {
          throw failed(error, signal);
        });
      return { status: response.statusCode, headers: headersOf(response), text, body: null };
    } catch (error) {
      throw failed(error, signal);
    }
  };
}
