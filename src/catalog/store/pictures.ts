/** Which pictures are uploaded, and when to check whether a home has them. */
import { hasRow, manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import { storedNamesOf, uploadsPath } from '../pictures/names.ts';

/** The days that a picture is kept without a home. */
const daysWithoutHome = 30;
const daysBetweenLooks = 7;
/**
 * Longer than one sweep takes with the slowest storage. Another sweep that took over could finish first, and the files
 * would then be removed although the picture was uploaded again.
 */
const minutesToRemove = 60;

/** Records that a picture is uploaded, also again. False: its files are being removed at this moment. */
export const keepPicture = hasRow<[pictureId: string]>({
  name: 'keep-picture',
  text: `INSERT INTO pictures (picture_id, state, look_at)
    VALUES ($1, 'unused', now() + make_interval(days => ${daysWithoutHome}))
    ON CONFLICT (picture_id) DO UPDATE SET look_at = greatest(pictures.look_at, excluded.look_at)
      WHERE pictures.state <> 'removing'
    RETURNING picture_id`,
});

/** Whether a picture is uploaded. */
export const isPictureKept = hasRow<[pictureId: string]>({
  name: 'is-picture-kept',
  text: `SELECT FROM pictures WHERE picture_id = $1 AND state <> 'removing'`,
});

// The condition of the index `listings_with_uploads`, so that the statement can use it.
const hasUploads = `l.images::jsonb @? '$[*].file ? (@ starts with "${uploadsPath}/")'`;

/** A picture after a check. `removing`: no home had it at two checks, so its files are to be removed. */
export interface LookedPicture {
  pictureId: string;
  state: 'used' | 'unused' | 'removing';
}

const endings = storedNamesOf('');

/** Checks whether homes have the pictures that are due. */
export const lookAtPictures = manyRows<[atMost: number], LookedPicture>({
  name: 'look-at-pictures',
  text: `UPDATE pictures p SET (state, look_at) = (
      SELECT next.state, now() + CASE next.state
          WHEN 'used' THEN make_interval(days => ${daysBetweenLooks})
          WHEN 'unused' THEN make_interval(days => ${daysWithoutHome})
          ELSE make_interval(mins => ${minutesToRemove}) END
      FROM (SELECT CASE
          WHEN p.state = 'removing' THEN 'removing'
          WHEN EXISTS (
            SELECT FROM unnest($2::text[]) ending
            JOIN listings l ON ${hasUploads} AND l.images::jsonb @> jsonb_build_array(
              jsonb_build_object('file', '${uploadsPath}/' || p.picture_id || ending))
          ) THEN 'used'
          WHEN p.state = 'used' THEN 'unused'
          ELSE 'removing' END AS state) next)
    WHERE p.picture_id = ANY (ARRAY(
      SELECT picture_id FROM pictures WHERE look_at <= now()
      ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING p.picture_id AS "pictureId", p.state`,
  values: (atMost) => [atMost, endings],
});

/** Forgets a picture whose files are removed. */
export const forgetPicture = noRows<[pictureId: string]>({
  name: 'forget-picture',
  text: `DELETE FROM pictures WHERE picture_id = $1 AND state = 'removing'`,
});
