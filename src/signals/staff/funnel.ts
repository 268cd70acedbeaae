/** What staff read of the funnel. */
import { staffActs } from '../../api/staff-acts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import { readFunnel } from '../read-funnel.ts';

/** The funnel from search to reservation. */
export const funnelActs = staffActs<{ reads: Pick<Reads, 'run'>; now: Clock }>()({
  'operator.funnel.read': ({ context: { reads, now }, query }) =>
    reads.run((from) => readFunnel(from, query, now())),
});
