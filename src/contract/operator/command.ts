import type { CsvTable } from '../csv.ts';

/** The nouns of the command line in the order of its help, with what they are. A noun of two words is nested. */
export const commandNouns = {
  application: 'Partner applications.',
  key: 'The keys of partner applications.',
  conformance: 'Reports of conformance runs.',
  'signing-key': 'The keys that sign access tokens.',
  'master-key': 'The key that seals secrets and the details of guests.',
  statement: 'What partners sold and owe.',
  catalog: 'The catalogs of homes: files in and out.',
  promotion: 'Promotion codes of catalogs.',
  rate: 'Prices of dates.',
  picture: 'The pictures of homes.',
  block: 'Nights that nobody can book.',
  'channel-calendar': 'Calendars of other channels, and our own for them.',
  conflict: 'Nights that were sold twice.',
  'outside-stay': 'Nights that other systems have sold.',
  webhook: 'Webhooks of partner applications.',
  'webhook endpoint': 'Where events are sent.',
  'webhook delivery': 'The delivery of each event to an endpoint.',
  portal: 'The portal where partners manage their webhooks.',
  'portal person': 'Persons of partners who use the portal by name.',
  'portal session': 'Open sessions of the portal.',
  reservation: 'Reservations of guests.',
  'reservation note': 'Notes of staff on a reservation.',
  'day-sheet': 'Who arrives, who leaves and who stays on a day.',
  guest: 'What is kept about one person.',
  'change-request': 'What partners ask to cancel or change.',
  checkout: 'Checkouts and requests whose outcome is not known.',
  payment: 'Card payments of reservations.',
  attention: 'What waits for people.',
  alert: 'Alerts to where the operator looks.',
  clock: "The database's clock.",
  restore: 'Restores of the database, and what the card provider still had.',
  audit: 'The audit trail: actions of staff and partners.',
  staff: 'Members of staff.',
  'staff token': "Tokens with which scripts call the operator's API.",
} as const satisfies Record<string, string>;

/** A noun of the command line. */
export type CommandNoun = keyof typeof commandNouns;

/**
 * The command of a row. Its flags are the members of params, query and body: `expectedVersion` is
 * `--expected-version`, `blockId` is `--block`, and members of an inner object are flags of their own.
 */
export interface RowCommand {
  /** Noun and verb; or a noun that is the whole command. */
  readonly name: `${CommandNoun} ${string}` | CommandNoun;
  /** Public names of flags that do not follow from the name of their member. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The member whose value is given without a name. */
  readonly argument?: string;
  /** Two members with dates: where both are given, the second must be after the first. */
  readonly inOrder?: readonly [string, string];
  /** Optional members of which at least one must be given. */
  readonly needsOneOf?: readonly string[];
  /** The members of the reply, or of each item of a list, that the command prints; absent: all. */
  readonly prints?: readonly string[];
  /** The members of a list that the text output shows; absent: all. */
  readonly columns?: readonly string[];
  /** The reply as a table: the command has `--csv`. */
  readonly csv?: (reply: never) => CsvTable;
  /** A sentence below the text output. */
  readonly note?: string;
  /** What every running service must have read before the command ends; absent: nothing. */
  readonly waitsFor?: 'applications' | 'homes';
}
