/** The numbering of changes, and the processes that must have read them before partners are told. */

import { hasRow, noRows, theRow } from '../../platform/postgres/statement-functions.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

/** A reader, and how often it has said that it lives. */
export type ReaderBeat = [readerId: string, beats: number];

/** The state of the numbering. */
export interface FeedState {
  /** The last numbering. */
  run: number;
  /** The last one of which partners know. */
  toldRun: number;
  joins: number;
  server: string;
  /** There are committed changes without a number. */
  hasPending: boolean;
  /** The readers that do not have the last numbering yet. */
  behind: ReaderBeat[];
}

/** Reads the state of the numbering. */
export const readFeedState = theRow<[], FeedState>({
  name: 'change-feed-state',
  text: `SELECT f.run, f.told_run AS "toldRun", f.joins, ${reachedServer} AS server,
      EXISTS (SELECT FROM pending_changes) AS "hasPending",
      (SELECT coalesce(json_agg(json_build_array(reader_id, beats)), '[]') FROM feed_readers
        WHERE run < f.run) AS behind
    FROM change_feed f WHERE f.only_row`,
});

/** Removes a reader that has not lived since this beat; null: it ends. From now on it must join again. */
export const removeReader = noRows<[readerId: string, beats: number | null]>({
  name: 'remove-feed-reader',
  text: `DELETE FROM feed_readers WHERE reader_id = $1 AND ($2::bigint IS NULL OR beats = $2)`,
});

/** What has been numbered since a run. */
export interface FeedNews {
  run: number;
  /** The applications whose catalog or adjustment has changed. */
  applications: string[];
}

/** Reads what has been numbered since a run. */
export const readNews = theRow<[since: number], FeedNews>({
  name: 'change-feed-news',
  text: `SELECT f.run, ARRAY(SELECT a.application_id FROM application_changes a WHERE a.run > $1)::text[]
      AS applications
    FROM change_feed f WHERE f.only_row`,
});

/** Joins the readers with what this one has read until a run. False: more is told already. */
export const joinFeed = hasRow<[readerId: string, run: number]>({
  name: 'join-feed',
  text: `WITH joined AS (
      UPDATE change_feed SET joins = joins + 1 WHERE only_row AND told_run <= $2 RETURNING 1
    )
    INSERT INTO feed_readers (reader_id, run, beats) SELECT $1, $2, 0 FROM joined
    ON CONFLICT (reader_id) DO UPDATE SET run = excluded.run, beats = feed_readers.beats + 1
    RETURNING 1`,
});

/** Says that a reader lives and has read everything until a run. False: it was removed. */
export const beatReader = hasRow<[readerId: string, run: number]>({
  name: 'beat-feed-reader',
  text: `UPDATE feed_readers SET run = $2, beats = beats + 1 WHERE reader_id = $1 RETURNING 1`,
});
