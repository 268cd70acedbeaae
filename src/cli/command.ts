/** The types of a command. `commands.ts` is the table of all commands. */
import type { CsvTable } from '../contract/csv.ts';
import type { PollerContext } from '../channels/index.ts';
import type { Refusal } from '../contract/errors.ts';
import type { OperatorRow } from '../contract/operator/row.ts';
import type { Environment } from '../contract/wire.ts';
import type { AlertsReceiver } from '../attention/index.ts';
import type { CardProvider } from '../payments/index.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';

/** The parsed value of a flag, or its problem. */
export type Parsed<T> = { value: T } | { problem: string };

/** How the value of a flag is parsed. */
export interface FlagKind<T> {
  /** The placeholder of the value in the usage; empty: the flag has no value. */
  placeholder: string;
  /** The problem completes "--flag …". */
  parse(text: string): Parsed<T>;
  /** Replaces a parsed value that the database knows by another name. */
  resolve?(executor: Executor, value: T): Promise<T | Refusal>;
}

/** A flag. Every command also accepts `--json` and `--help`. */
export interface Flag<T = unknown, Required extends boolean = boolean> {
  kind: FlagKind<T>;
  required: Required;
  description: string;
  /** It may be given several times; its value is the list of all. An empty text is no item. */
  repeats?: true;
}

/** Flags by name, without the dashes. */
export type Flags = Record<string, Flag>;

type ValueOf<F> = F extends Flag<infer T, infer R> ? (R extends true ? T : T | undefined) : never;

/** The values of these flags. */
export type ValuesOf<F extends Flags> = { [Name in keyof F]: ValueOf<F[Name]> };

/** The context of a command. */
export interface CommandContext {
  database: Database;
  environment: Environment;
  /** Opens the card provider of the configuration; null: there is none. */
  openProvider(): Promise<CardProvider | null>;
  /** Where uploaded pictures are. */
  pictures: FileStorage;
  /** The data folder. */
  dataDir: string;
  /** The address of the service for partners, from the environment or as the last start stored it. */
  baseUrl: string;
  /** Whether webhook endpoints may be on loopback. */
  loopbackAllowed: boolean;
  /** Who is told what waits for people; null: nobody. */
  alerts: AlertsReceiver | null;
  /** How calendars of other channels are read. */
  calendars: Pick<PollerContext, 'rules' | 'everySeconds'>;
  /** The actor in the audit trail. */
  actor: string;
  /** Prints progress, for a command that follows the service. With `--json`, one line of JSON. */
  report: Report;
  /** Writes a long document to stdout, piece by piece. */
  write: Write;
  /** Where a progress bar is drawn. Null: nobody looks, or `--json` was given. */
  terminal: NodeJS.WritableStream | null;
  /** Aborted when a command that follows the service must end. */
  ending: AbortSignal;
}

/** Prints progress as a document or as text. */
export type Report = (document: object, text: string) => void;

/** Writes to stdout; the promise is fulfilled when there is room for more. */
export type Write = (text: string) => Promise<void>;

/** The result of a command. */
export interface Outcome {
  /** The document of `--json`. The text output is derived from it. */
  document: object;
  /** The members of a list that the text output shows. */
  columns?: readonly string[];
  /** The text output, if it is not derived from the document. */
  text?: string;
  /** The document as a table, for `--csv`. */
  csv?: CsvTable;
  /** A note in the text output only. */
  note?: string | undefined;
}

interface Definition<F extends Flags> {
  summary: string;
  /** Further sentences of its help. */
  description?: string;
  /** The row that it follows from; absent: it is written by hand. */
  row?: OperatorRow;
  flags: F;
  /** Names of optional flags of which at least one must be given. */
  needsOneOf?: readonly (keyof F & string)[];
  /** Two dates: where both are given, the second must be after the first. */
  inOrder?: readonly [keyof F & string, keyof F & string];
  /** Running services cache applications: the command ends only after all of them use the new state. */
  changesApplication: boolean;
  /** It only reads: it gets the replica, if there is one that is up to date. */
  onlyReads?: true;
  /** It needs a running service and runs until it is interrupted. */
  followsService?: true;
  /** The flag whose value is given as an argument, without its name. */
  argument?: keyof F & string;
  /** `written`: the command has written its document itself. */
  run(context: CommandContext, values: ValuesOf<F>): Promise<Outcome | Refusal | 'written'>;
}

/** A command that only prints a document: it needs no installation. */
interface Printing<F extends Flags> {
  summary: string;
  description?: never;
  row?: never;
  flags: F;
  needsOneOf?: never;
  inOrder?: never;
  changesApplication?: never;
  followsService?: never;
  argument?: never;
  print(values: ValuesOf<F>): AsyncIterable<string> | Iterable<string>;
}

/** A command that works on the installation, with any flags. */
export type WorkingCommand = Definition<Record<string, Flag<never>>>;

/** A command with any flags. */
export type Command = WorkingCommand | Printing<Record<string, Flag<never>>>;

/** A noun and its verbs. */
export interface Noun {
  summary: string;
  /** An empty verb: the noun alone is a command. */
  verbs: Record<string, Command>;
  /** Nested nouns. */
  nouns?: Record<string, Noun>;
}

/** How a command is called: a noun and its verb, or a noun alone. */
export const calledAs = (noun: string, verb: string): string =>
  verb === '' ? noun : `${noun} ${verb}`;

/** Binds the flags of a command to the values that its `run` or `print` receives. */
export const command = <const F extends Flags>(definition: Definition<F> | Printing<F>): Command =>
  definition as unknown as Command;
