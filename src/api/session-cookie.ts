/** A cookie that holds the secret of a session: hidden from scripts, not sent by other sites or to the rest of the API. */
export interface SessionCookie {
  /** Reads its value from the header `Cookie`. Null: there is none. */
  read(cookies: string | undefined): string | null;
  /** The header value that sets it. */
  set(value: string, baseUrl: string): string;
  /** The header value that removes it. */
  clear(baseUrl: string): string;
}

/**
 * A cookie of the pages below a path.
 *
 * @param path of the pages, without that of the base URL
 */
export function sessionCookie(name: string, path: string, hours: number): SessionCookie {
  const value = (secret: string, baseUrl: string, maxAge: number): string =>
    [
      `${name}=${secret}`,
      `Path=${new URL(`${baseUrl}${path}`).pathname}`,
      'HttpOnly',
      'SameSite=Strict',
      `Max-Age=${maxAge}`,
      ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
    ].join('; ');
  return {
    read(cookies) {
      const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own?.slice(name.length + 1) ?? null;
    },
    set: (secret, baseUrl) => value(secret, baseUrl, hours * 3_600),
    clear: (baseUrl) => value('', baseUrl, 0),
  };
}
