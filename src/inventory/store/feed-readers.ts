/** The numbering of changes, and the processes that must have read them before partners are told. */

import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

const stateStatement: Statement = {
  name: 'change-feed-state',
  text: `SELECT f.run, f.told_run AS "toldRun", f.joins, ${reachedServer} AS server,
      EXISTS (SELECT FROM pending_changes) AS "hasPending",
      (SELECT coalesce(json_agg(json_build_array(reader_id, beats)), '[]') FROM feed_readers
        WHERE run < f.run) AS behind
    FROM change_feed f WHERE f.only_row`,
};

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
export async function readFeedState(executor: Executor): Promise<FeedState> {
  const [row] = await executor.query<FeedState>(stateStatement);
  return row!;
}

const removeStatement: Statement = {
  name: 'remove-feed-reader',
  text: `DELETE FROM feed_readers WHERE reader_id = $1 AND ($2::bigint IS NULL OR beats = $2)`,
};

/** Removes a reader that has not lived since this beat; null: it ends. From now on it must join again. */
export async function removeReader(
  executor: Executor,
  readerId: string,
  beats: number | null,
): Promise<void> {
  await executor.query(removeStatement, [readerId, beats]);
}

const newsStatement: Statement = {
  name: 'change-feed-news',
  text: `SELECT f.run, ARRAY(SELECT a.application_id FROM application_changes a WHERE a.run > $1)::text[]
      AS applications
    FROM change_feed f WHERE f.only_row`,
};

/** What has been numbered since a run. */
export interface FeedNews {
  run: number;
  /** The applications whose catalog or adjustment has changed. */
  applications: string[];
}

/** Reads what has been numbered since a run. */
export async function readNews(executor: Executor, since: number): Promise<FeedNews> {
  const [row] = await executor.query<FeedNews>(newsStatement, [since]);
  return row!;
}

const joinStatement: Statement = {
  name: 'join-feed',
  text: `WITH joined AS (
      UPDATE change_feed SET joins = joins + 1 WHERE only_row AND told_run <= $2 RETURNING 1
    )
    INSERT INTO feed_readers (reader_id, run, beats) SELECT $1, $2, 0 FROM joined
    ON CONFLICT (reader_id) DO UPDATE SET run = excluded.run, beats = feed_readers.beats + 1
    RETURNING 1`,
};

/** Joins the readers with what this one has read until a run. False: more is told already. */
export const joinFeed = async (
  executor: Executor,
  readerId: string,
  run: number,
): Promise<boolean> => (await executor.query(joinStatement, [readerId, run])).length > 0;

const beatStatement: Statement = {
  name: 'beat-feed-reader',
  text: `UPDATE feed_readers SET run = $2, beats = beats + 1 WHERE reader_id = $1 RETURNING 1`,
};

/** Says that a reader lives and has read everything until a run. False: it was removed. */
export const beatReader = async (
  executor: Executor,
  readerId: string,
  run: number,
): Promise<boolean> => (await executor.query(beatStatement, [readerId, run])).length > 0;
