/** What the texts of homes said before a text was replaced in many of them, for a day. */
import { manyRows, manyValues, noRows } from '../../platform/postgres/statement-functions.ts';
import type { Home } from './listing-rows.ts';

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

/** The texts of a home before and after a change. */
export interface TextsBefore {
  listingId: string;
  before: HomeTexts;
  after: HomeTexts;
}

/** Keeps what the texts of homes said before a change. */
export const keepTextsBefore = noRows<[changeId: string, homes: readonly TextsBefore[]]>({
  name: 'keep-texts-before',
  text: `INSERT INTO text_undos (change_id, listing_id, texts_before, texts_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb)`,
  values: (changeId, homes) => [changeId, JSON.stringify(homes)],
});

/** The homes whose texts a change can give back. None: it cannot be undone, or no longer. */
export const homesOfTextsUndo = manyValues<[changeId: string], string>({
  name: 'list-homes-of-texts-undo',
  text: 'SELECT listing_id AS "listingId" FROM text_undos WHERE change_id = $1',
});

/** Takes what the texts of homes said before a change. Fewer than homes: somebody else has undone it. */
export const takeTextsBefore = manyRows<
  [changeId: string, listingIds: readonly string[]],
  TextsBefore
>({
  name: 'take-texts-before',
  text: `DELETE FROM text_undos WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", texts_before AS before, texts_after AS after`,
});
