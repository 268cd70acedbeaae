/** What the dates and texts of homes said before a change of many of them, for a day. */
import { manyRows, manyValues, noRows } from '../../platform/postgres/statement-functions.ts';
import type { Home } from './listing-rows.ts';

/** A part of a home before and after a change. */
export interface PartBefore<Part> {
  listingId: string;
  before: Part;
  after: Part;
}

/** The store of what is kept of one kind of part. */
const undosOf = <Part>(part: string, table: string, column: string) => ({
  /** Keeps what homes said before a change. */
  keep: noRows<[changeId: string, homes: readonly PartBefore<Part>[]]>({
    name: `keep-${part}-before`,
    text: `INSERT INTO ${table} (change_id, listing_id, ${column}_before, ${column}_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb)`,
    values: (changeId, homes) => [changeId, JSON.stringify(homes)],
  }),
  /** The homes that a change can give back what they said. None: it cannot be undone, or no longer. */
  homesOf: manyValues<[changeId: string], string>({
    name: `list-homes-of-${part}-undo`,
    text: `SELECT listing_id AS "listingId" FROM ${table} WHERE change_id = $1`,
  }),
  /** Takes what homes said before a change. Fewer than homes: somebody else has undone it. */
  take: manyRows<[changeId: string, listingIds: readonly string[]], PartBefore<Part>>({
    name: `take-${part}-before`,
    text: `DELETE FROM ${table} WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", ${column}_before AS before, ${column}_after AS after`,
  }),
});

/** The dates of homes before changes of rates. */
export const rateUndos = undosOf<Home['rates']['dates']>('rates', 'rate_undos', 'dates');

/** The members of a home that people read. */
const textMembers = [
  'name',
  'blurb',
  'description',
  'destination',
  'arrivalInstructions',
  'amenities',
  'policies',
  'spaces',
  'images',
] as const satisfies (keyof Home)[];

/** What people read of a home. */
export type HomeTexts = Pick<Home, (typeof textMembers)[number]>;

/** The texts of a home. */
export const textsOf = (home: Home): HomeTexts =>
  Object.fromEntries(
    textMembers.filter((name) => home[name] !== undefined).map((name) => [name, home[name]]),
  ) as object as HomeTexts;

/** The texts of homes before one was replaced in many of them. */
export const textUndos = undosOf<HomeTexts>('texts', 'text_undos', 'texts');
