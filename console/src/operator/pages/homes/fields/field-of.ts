/** How the members of a home are entered, as tables. */

/** How a member is entered. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'date'
  | 'time'
  | 'integer'
  | 'number'
  | 'percent'
  | 'coordinate'
  | 'money'
  | 'switch'
  | 'yes or no'
  | 'words'
  | 'lines'
  | 'weekdays'
  | readonly string[];

/** A member of the home, or of an item of one of its lists. */
export interface FieldOf {
  /** Its path, as `geo/latitude`. */
  name: string;
  label: string;
  kind: FieldKind;
  /** Without a value the member is left out, or null. */
  empty?: 'absent' | 'null';
  /** What an absent member means. */
  standard?: unknown;
  hint?: string;
  /** It takes a whole row. */
  isWide?: true;
  /** Members that say the same in another form: they go when this one gets a value. */
  replaces?: readonly string[];
  /** Members that it needs beside itself, with their only value. */
  needs?: Readonly<Record<string, unknown>>;
}

export const field = (
  name: string,
  label: string,
  kind: FieldKind,
  more: Pick<FieldOf, 'empty' | 'standard' | 'hint' | 'isWide' | 'replaces' | 'needs'> = {},
): FieldOf => ({ name, label, kind, ...more });

export const absent = { empty: 'absent' } as const;
export const orNull = { empty: 'null' } as const;
export const yes = { standard: true } as const;

/** A number that has a standard value. */
export const standardly = (value: number) => ({ ...absent, hint: String(value) });

/** One of the ways in which an item says its amount. */
export interface FormOf {
  title: string;
  has: (entry: Readonly<Record<string, unknown>>) => boolean;
  fields: readonly FieldOf[];
  /** What an item has at first when it gets this form. */
  item: Readonly<Record<string, unknown>>;
  inner?: ListOf;
}

/** A list of the home: where it is, its columns, and a new item. */
export interface ListOf {
  title: string;
  about: string;
  /** The members that lead to it. */
  path: readonly string[];
  columns: readonly FieldOf[];
  item: Readonly<Record<string, unknown>>;
  /** What an item is called. */
  noun: string;
  /** What few items have. */
  more?: readonly FieldOf[];
  /** Items of several forms. */
  forms?: readonly FormOf[];
  /** A list that each item has. */
  inner?: ListOf;
  /** Members that say the same in another form: they go with the first item. */
  replaces?: readonly (readonly string[])[];
  /** The list is left out with its last item. */
  isAbsentWhenEmpty?: boolean;
}
