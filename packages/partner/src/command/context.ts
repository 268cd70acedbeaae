import { createClient, type LatchkeyClient } from '../client/client.ts';
import type { ClientSettings } from '../client/settings.ts';

/** What a command gets. */
export interface CommandContext {
  client: LatchkeyClient;
  /** Of the client: for a command that makes one of its own. */
  settings: ClientSettings;
  baseUrl: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Values of its flags. */
  flags: Readonly<Record<string, string | boolean | undefined>>;
  /** Prints a line, or with `--json` nothing. */
  say(text: string): void;
  /** Prints a document with `--json`, one a line. */
  show(document: object): void;
  /** Asks on a terminal; null: there is nobody to ask. */
  ask: ((question: string) => Promise<string>) | null;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** The flag of a text; absent or a switch: undefined. */
export const textOf = ({ flags }: CommandContext, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
};

/** The command was used wrongly. The message says how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for is not possible. The message says why. */
export class NotPossibleError extends Error {
  override readonly name = 'NotPossibleError';
}

/** The flag of a whole number. */
export function numberOf(context: CommandContext, name: string): number | undefined {
  const text = textOf(context, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(text);
}

const variables = [
  'LATCHKEY_BASE_URL',
  'LATCHKEY_APPLICATION_ID',
  'LATCHKEY_APPLICATION_KEY',
] as const;

/** The client of the environment. Throws `UsageError` with the variables that are missing. */
export function clientOf(
  env: Readonly<Record<string, string | undefined>>,
): Pick<CommandContext, 'client' | 'settings' | 'baseUrl' | 'env'> {
  const missing = variables.filter((name) => !env[name]);
  if (missing.length > 0) throw new UsageError(`Set ${missing.join(', ')}.`);
  const [baseUrl, applicationId, applicationKey] = variables.map((name) => env[name]!) as [
    string,
    string,
    string,
  ];
  if (!URL.canParse(baseUrl))
    throw new UsageError(
      'LATCHKEY_BASE_URL must be an address, such as https://homes.example.com.',
    );
  const settings: ClientSettings = { baseUrl, applicationId, applicationKey, consumer: 'cli' };
  return { client: createClient(settings), settings, baseUrl, env };
}
