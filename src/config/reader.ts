import type { Environment } from '../contract/wire.ts';
import { hostOf } from '../platform/sending/host.ts';

/** The host names of this machine. */
export const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Reads values and collects problems. The results are used only if there are no problems. */
export class Reader {
  readonly problems: string[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim();
    return value ? value : null;
  }

  wrong(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  integer(name: string, standard: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === null) return standard;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.wrong(name, `must be an integer from ${min} to ${max}.`);
    return standard;
  }

  oneOf<T extends string>(name: string, standard: T, values: readonly T[]): T {
    const text = this.text(name) ?? standard;
    const value = values.find((known) => known === text);
    if (value !== undefined) return value;
    this.wrong(name, `must be one of ${values.join(', ')}.`);
    return standard;
  }
}

/** Whether an address may be called: https, and http of this machine except in `live`. */
export const isSafeUrl = (url: URL | null, environment: Environment): url is URL =>
  url?.protocol === 'https:' ||
  (url?.protocol === 'http:' && environment !== 'live' && loopback.has(hostOf(url)));

/** Whether a text is an http or https URL without query, fragment and user. */
export function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return !/[?#]/.test(text) && url.username === '' && url.password === '';
}
