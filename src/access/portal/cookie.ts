import { portalLimits } from '../../contract/portal/limits.ts';

const name = 'latchkey_portal';

/** The secret in the session's cookie; null: there is none. */
export function sessionSecretOf(cookies: string | undefined): string | null {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.find((pair) => pair.startsWith(`${name}=`));
  return own?.slice(name.length + 1) ?? null;
}

// Not for scripts of the page, not for other sites, not for the rest of the API.
const attributes = (baseUrl: string, maxAge: number): string =>
  [
    `Path=${new URL(`${baseUrl}/portal`).pathname}`,
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAge}`,
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/** Sets the session's cookie. */
export const sessionCookie = (secret: string, baseUrl: string): string =>
  `${name}=${secret}; ${attributes(baseUrl, portalLimits.sessionHours * 3_600)}`;

/** Removes it. */
export const clearedSessionCookie = (baseUrl: string): string =>
  `${name}=; ${attributes(baseUrl, 0)}`;

/** What a browser says about the page that sends a call. */
export interface SentBy {
  host: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Whether a browser says that another site sends the call. Scripts say nothing of the kind. */
export function isFromAnotherSite(request: SentBy, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && !ownSites.has(String(site))) return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const sender = URL.parse(String(origin));
  return sender?.origin !== new URL(baseUrl).origin && sender?.host !== request.host;
}
