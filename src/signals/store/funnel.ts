/** Queries of the funnel for staff. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import { allHomes, type RefusedStep } from './count-funnel.ts';

/** How often each step was reached. */
export interface FunnelCounts {
  searches: number;
  views: number;
  quotes: number;
  checkouts: number;
  submitted: number;
  confirmed: number;
}

/** Which part of the funnel. */
export interface FunnelScope {
  applicationId?: string | undefined;
  listingId?: string | undefined;
  /** The Mondays of the weeks. */
  weeks: readonly string[];
}

// `bigint` would be a string.
const sums = ['searches', 'views', 'quotes', 'checkouts', 'submitted', 'confirmed']
  .map((name) => `sum(f.${name})::float8 AS ${name}`)
  .join(', ');

// Each combination of filters has a text of its own, so that it uses the whole index.
type Filter = Pick<FunnelScope, 'applicationId'>;

const variantOf = ({ applicationId }: Filter): string =>
  applicationId === undefined ? 'all' : 'application';

const valuesOf = ({ applicationId, listingId, weeks }: FunnelScope): unknown[] => [
  weeks,
  listingId ?? allHomes,
  ...(applicationId === undefined ? [] : [applicationId]),
];

const limitAfter = ({ applicationId }: Filter): string =>
  applicationId === undefined ? '$3' : '$4';

const wanted = ({ applicationId }: Filter): string =>
  `f.week = ANY ($1::date[]) AND f.listing_id = $2${applicationId === undefined ? '' : ' AND f.application_id = $3'}`;

const weeksStatement = (scope: Filter): Statement => ({
  name: 'read-funnel-weeks',
  variant: variantOf(scope),
  text: `SELECT f.week, ${sums} FROM funnel_weeks f WHERE ${wanted(scope)} GROUP BY f.week ORDER BY f.week`,
});

/** Reads the counts of each week, oldest first. */
export const readFunnelWeeks = (
  executor: Executor,
  scope: FunnelScope,
): Promise<({ week: string } & FunnelCounts)[]> =>
  executor.query(weeksStatement(scope), valuesOf(scope));

const applicationsStatement = (scope: Filter): Statement => ({
  name: 'read-funnel-applications',
  variant: variantOf(scope),
  text: `SELECT c.application_id AS "applicationId", a.name AS application, c.searches, c.views, c.quotes,
      c.checkouts, c.submitted, c.confirmed
    FROM (SELECT f.application_id, ${sums} FROM funnel_weeks f WHERE ${wanted(scope)}
      GROUP BY f.application_id ORDER BY 4 DESC, 1 LIMIT ${limitAfter(scope)}) c
    CROSS JOIN LATERAL (
      SELECT name FROM applications WHERE application_id = c.application_id OFFSET 0) a
    ORDER BY c.quotes DESC, c.application_id`,
});

/** Reads the counts of each application, most quotes first. */
export const readFunnelApplications = (
  executor: Executor,
  scope: FunnelScope,
  atMost: number,
): Promise<({ applicationId: string; application: string } & FunnelCounts)[]> =>
  executor.query(applicationsStatement(scope), [...valuesOf(scope), atMost]);

// Of more, the latest weeks decide which homes are listed. A statement must end in time, also with 100,000 homes.
const rankedCounts = 2_000_000;

/** A home with its counts; without slug and name if it no longer exists. */
export type FunnelHome = Omit<FunnelCounts, 'searches'> & {
  listingId: string;
  slug: string | null;
  name: string | null;
};

/** Reads the homes that an application asked most quotes for. */
export const readFunnelHomes = manyRows<
  [weeks: readonly string[], applicationId: string, atMost: number],
  FunnelHome
>({
  name: 'read-funnel-homes',
  // Only quotes are summed for all homes, as integers: a sum of `bigint` is a `numeric`, which takes twice as long.
  text: `SELECT c.listing_id AS "listingId", l.slug, l.name, s.views, s.quotes, s.checkouts, s.submitted,
      s.confirmed
    FROM (SELECT listing_id, sum(quotes::integer) AS quotes FROM (
        SELECT f.listing_id, f.quotes FROM (SELECT week FROM unnest($1::date[]) AS w (week) ORDER BY week DESC) w
        CROSS JOIN LATERAL (SELECT listing_id, quotes FROM funnel_weeks
          WHERE week = w.week AND application_id = $2 AND listing_id <> $3 OFFSET 0) f
        LIMIT ${rankedCounts}) counts
      GROUP BY listing_id ORDER BY quotes DESC, listing_id LIMIT $4) c
    CROSS JOIN LATERAL (SELECT ${sums} FROM funnel_weeks f
      WHERE f.week = ANY ($1::date[]) AND f.application_id = $2 AND f.listing_id = c.listing_id OFFSET 0) s
    LEFT JOIN LATERAL (
      SELECT slug, name FROM listings WHERE listing_id = c.listing_id OFFSET 0) l ON true
    ORDER BY c.quotes DESC, c.listing_id`,
  values: (weeks, applicationId, atMost) => [weeks, applicationId, allHomes, atMost],
});

/** Refusals of a step for one reason. */
export interface FunnelRefusals {
  step: RefusedStep;
  reason: string;
  refusals: number;
}

const refusalsStatement = (scope: Filter): Statement => ({
  name: 'read-funnel-refusals',
  variant: variantOf(scope),
  text: `SELECT f.step, f.reason, sum(f.refusals)::float8 AS refusals FROM funnel_refusals f
    WHERE ${wanted(scope)} GROUP BY f.step, f.reason ORDER BY 3 DESC, 1, 2 LIMIT ${limitAfter(scope)}`,
});

/** Reads the refusals by step and reason, most first. */
export const readFunnelRefusals = (
  executor: Executor,
  scope: FunnelScope,
  atMost: number,
): Promise<FunnelRefusals[]> =>
  executor.query(refusalsStatement(scope), [...valuesOf(scope), atMost]);
