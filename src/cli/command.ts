/** What a command of `latchkey` is made of; `commands.ts` is the table of all of them. */
import type { Environment } from '../contract/wire.ts';
import type { Database } from '../platform/postgres/database.ts';

/** A flag's value as it was meant, or what is wrong with it. */
export type Parsed<T> = { value: T } | { problem: string };

/** What can stand behind a flag. */
export interface FlagKind<T> {
  /** Stands for the value in the usage. */
  placeholder: string;
  /** The problem completes "--flag …". */
  parse(text: string): Parsed<T>;
}

/** A flag with a value; every command also takes `--json` and `--help`. */
export interface Flag<T = unknown, Required extends boolean = boolean> {
  kind: FlagKind<T>;
  required: Required;
  description: string;
}

/** Flags by name, without the dashes. */
export type Flags = Record<string, Flag>;

type ValueOf<F> = F extends Flag<infer T, infer R> ? (R extends true ? T : T | undefined) : never;

/** The values that a command with these flags is given. */
export type ValuesOf<F extends Flags> = { [Name in keyof F]: ValueOf<F[Name]> };

/** What every command works on. */
export interface CommandContext {
  database: Database;
  environment: Environment;
  /** The data folder. */
  dataDir: string;
  /** Where partners reach the service: as the environment says, or as the last start recorded it. */
  baseUrl: string;
  /** Whether endpoints of webhooks may lie on loopback. */
  loopbackAllowed: boolean;
  /** Who is named in the audit trail. */
  actor: string;
  /** Of a command that follows the service: says something now, with `--json` as one line of it. */
  tell: Tell;
  /** Of a command that follows the service: it is to end. */
  ending: AbortSignal;
}

/** Says something while a command goes on: as a document, or in words. */
export type Tell = (document: object, text: string) => void;

/** What came of a command. */
export interface Outcome {
  /** The one document of `--json`; what a person reads is laid out from it. */
  document: object;
  /** The members of a list that fit on a person's screen. */
  columns?: readonly string[];
  /** For people alone. */
  note?: string;
}

interface Definition<F extends Flags> {
  summary: string;
  flags: F;
  /** Running services know the old state of things for a moment: the command ends when none does. */
  changesApplication: boolean;
  /** It goes on until it is told to end, beside a service that runs. */
  followsService?: true;
  run(context: CommandContext, values: ValuesOf<F>): Promise<Outcome>;
}

/** A command, whatever its flags are. */
export type Command = Definition<Record<string, Flag<never>>>;

/** A noun and what can be done with it. */
export interface Noun {
  summary: string;
  verbs: Record<string, Command>;
  /** Nouns that come after it. */
  nouns?: Record<string, Noun>;
}

/** Binds the flags of a command to the values that its `run` is given. */
export const command = <const F extends Flags>(definition: Definition<F>): Command =>
  definition as unknown as Command;
