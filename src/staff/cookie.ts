/** The cookies of the console: hidden from scripts, not sent by other sites or to the rest of the API. */
import { operatorLimits } from '../contract/operator/limits.ts';

const attributes = (baseUrl: string, maxAge: number): string =>
  [
    `Path=${new URL(`${baseUrl}/operator`).pathname}`,
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAge}`,
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/** A cookie of the console. */
export interface ConsoleCookie {
  /** Reads its value from the header `Cookie`. Null: there is none. */
  read(cookies: string | undefined): string | null;
  /** The header value that sets it. */
  set(value: string, baseUrl: string): string;
  /** The header value that removes it. */
  clear(baseUrl: string): string;
}

const cookie = (name: string, maxAge: number): ConsoleCookie => ({
  read(cookies) {
    const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
    const own = pairs.find((pair) => pair.startsWith(`${name}=`));
    return own?.slice(name.length + 1) ?? null;
  },
  set: (value, baseUrl) => `${name}=${value}; ${attributes(baseUrl, maxAge)}`,
  clear: (baseUrl) => `${name}=; ${attributes(baseUrl, 0)}`,
});

const hourSeconds = 3_600;

/** The cookie of a session. */
export const sessionCookie: ConsoleCookie = cookie(
  'latchkey_operator',
  operatorLimits.sessionHours * hourSeconds,
);
