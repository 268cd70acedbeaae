/** The funnel from search to reservation, for staff. */
import type { OperatorQueryOf } from '../contract/operator/operations.ts';
import { listingFor } from '../catalog/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  type FunnelCounts,
  type FunnelHome,
  type FunnelRefusals,
  type FunnelScope,
  readFunnelApplications,
  readFunnelHomes,
  readFunnelRefusals,
  readFunnelWeeks,
} from './store/funnel.ts';

const { funnelWeeks, funnelItems } = operatorLimits;

/** Which part of the funnel staff want; absent: all of it. */
export type FunnelWanted = OperatorQueryOf<'operator.funnel.read'>;

/** The counts of each week, and by application, home and reason of refusal. */
export interface Funnel {
  weeks: ({ week: string } & FunnelCounts)[];
  applications: ({ applicationId: string; application: string } & FunnelCounts)[];
  /** Of one application. */
  homes: FunnelHome[];
  refusals: FunnelRefusals[];
}

const nothing: FunnelCounts = {
  searches: 0,
  views: 0,
  quotes: 0,
  checkouts: 0,
  submitted: 0,
  confirmed: 0,
};

const dayAt = (now: EpochMs): string => new Date(now).toISOString().slice(0, 10);

/** The Mondays of these weeks, the last of which contains the day. */
function mondaysUntil(day: string, weeks: number): string[] {
  const date = Temporal.PlainDate.from(day);
  const last = date.subtract({ days: date.dayOfWeek - 1 });
  return Array.from({ length: weeks }, (_, at) => `${last.subtract({ weeks: weeks - 1 - at })}`);
}

/** Reads the funnel. */
export async function readFunnel(
  executor: Executor,
  { applicationId, listing, weeks = funnelWeeks.default, to }: FunnelWanted,
  now: EpochMs,
): Promise<Funnel | Refusal<'not_found'>> {
  const mondays = mondaysUntil(to ?? dayAt(now), weeks);
  const home = listing === undefined ? undefined : await listingFor(executor, listing);
  if (isRefusal(home)) return home;
  const listingId = home?.id;
  const scope: FunnelScope = { applicationId, listingId, weeks: mondays };
  const counted = await readFunnelWeeks(executor, scope);
  const byWeek = new Map(counted.map((one) => [one.week, one]));
  return {
    weeks: mondays.map((week) => byWeek.get(week) ?? { week, ...nothing }),
    applications: await readFunnelApplications(executor, scope, funnelItems),
    homes:
      applicationId === undefined || listingId !== undefined
        ? []
        : await readFunnelHomes(executor, mondays, applicationId, funnelItems),
    refusals: await readFunnelRefusals(executor, scope, funnelItems),
  };
}
