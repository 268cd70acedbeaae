/** What staff read of the request log. */
import { staffActs } from '../../api/staff-acts.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import { listRequestsForStaff, showRequestForStaff } from '../for-staff.ts';

/** The logged calls of an application. */
export const requestActs = staffActs<{ reads: Pick<Reads, 'run'> }>()({
  'operator.request.list': ({ context, params, query: { limit, cursor, ...filter } }) =>
    context.reads.run((from) =>
      listRequestsForStaff(from, params.applicationId, filter, { limit, cursor }),
    ),
  'operator.request.get': ({ context, params: { applicationId, requestId } }) =>
    context.reads.run((from) => showRequestForStaff(from, applicationId, requestId)),
});
