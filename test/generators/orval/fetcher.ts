/** How calls are sent: the base URL and the token are known only when the program runs. */
export const access = { baseUrl: '', token: '' };

/** Sends a call of the generated client. */
export async function fetcher<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (access.token !== '') headers.set('authorization', `Bearer ${access.token}`);
  const { status, headers: received, ...response } = await send(path, { ...options, headers });
  return { status, headers: received, data: response.data } as T;
}

async function send(path: string, options: RequestInit) {
  const response = await fetch(`${access.baseUrl}${path}`, options);
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, data: text === '' ? {} : (JSON.parse(text) as unknown) };
}
