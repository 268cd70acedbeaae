import { portalLimits } from '../../contract/portal/limits.ts';

const name = 'latchkey_portal';

/** Reads the secret from the session cookie. Null: there is none. */
export function sessionSecretOf(cookies: string | undefined): string | null {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${name}=`));
  return own?.slice(name.length + 1) ?? null;
}

// Hidden from scripts, not sent by other sites, and not sent to the rest of the API.
const attributes = (baseUrl: string, maxAge: number): string =>
  [
    `Path=${new URL(`${baseUrl}/portal`).pathname}`,
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAge}`,
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/** The header value that sets the session cookie. */
export const sessionCookie = (secret: string, baseUrl: string): string =>
  `${name}=${secret}; ${attributes(baseUrl, portalLimits.sessionHours * 3_600)}`;

/** The header value that removes the session cookie. */
export const clearedSessionCookie = (baseUrl: string): string =>
  `${name}=; ${attributes(baseUrl, 0)}`;

/** The headers by which a browser names the site of the calling page. */
export interface SentBy {
  host: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Whether the headers of a browser name another site. Programs other than browsers do not send these headers. */
export function isFromAnotherSite(request: SentBy, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && !ownSites.has(String(site))) return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const sender = URL.parse(String(origin));
  return sender?.origin !== new URL(baseUrl).origin && sender?.host !== request.host;
}
