import type { Environment } from '../contract/wire.ts';
import { hostOf } from '../platform/sending/host.ts';
import {
  type ChoiceName,
  type ChoiceSetting,
  type Setting,
  settings,
  type StandardName,
  type ValueOf,
  type WholeName,
  type WholeSetting,
} from './settings.ts';

/** The host names of this machine. */
export const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Reads values and collects problems. The results are used only if there are no problems. */
export class Reader {
  readonly problems: string[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  text(name: Setting): string | null {
    const value = this.#env[name]?.trim();
    return value ? value : null;
  }

  /** The text, or what applies without it. */
  textOr(name: StandardName): string {
    return this.text(name) ?? settings[name].standard;
  }

  wrong(name: Setting, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  integer(name: WholeName): number {
    const { min, max, standard = min }: WholeSetting = settings[name];
    const text = this.text(name);
    if (text === null) return standard;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.wrong(name, `must be an integer from ${min} to ${max}.`);
    return standard;
  }

  oneOf<Name extends ChoiceName>(name: Name): ValueOf<Name> {
    const { values, standard = values[0] }: ChoiceSetting = settings[name];
    const text = this.text(name) ?? standard;
    if (values.includes(text)) return text as ValueOf<Name>;
    this.wrong(name, `must be one of ${values.join(', ')}.`);
    return standard as ValueOf<Name>;
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
