/** The request log of an application, for staff. */
import {
  findApplication,
  noApplication,
  type PageOfStaff,
  type PageRequest,
  sparsePageForStaff,
} from '../access/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import type { OperatorQueryOf } from '../contract/operator/operations.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { scanAtMost, statusRange } from './operations/list-requests.ts';
import { requestFileView, requestView } from './operations/request-view.ts';
import { findLoggedRequest, listLoggedRequests, type LogPosition } from './store/requests.ts';

/** The calls to list; absent: all. */
type RequestFilter = Omit<OperatorQueryOf<'operator.request.list'>, 'limit' | 'cursor'>;

const msOf = (at: string | undefined): number | undefined =>
  at === undefined ? undefined : Date.parse(at);

/** Lists the logged calls of an application, newest first. */
export async function listRequestsForStaff(
  executor: Executor,
  applicationId: string,
  filter: RequestFilter,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof requestView>> | Refusal<'invalid_input' | 'not_found'>> {
  if (!(await findApplication(executor, applicationId))) return noApplication(applicationId);
  const { method, status, code, operation, from, until } = filter;
  const found = await sparsePageForStaff(
    executor.vault,
    {
      operation: 'staff.request.list',
      filters: { applicationId, ...filter },
      async read(before: LogPosition | null, atMost) {
        const { requests, lookedUntil } = await listLoggedRequests(executor, applicationId, {
          method,
          status: statusRange(status),
          code,
          operation,
          about: [],
          from: msOf(from),
          until: msOf(until),
          before,
          atMost,
          scanAtMost,
        });
        return { items: requests, lookedUntil };
      },
      positionOf: ({ at, requestId }) => ({ at, requestId }),
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(requestView) };
}

/** Shows a logged call of an application by its request ID. */
export async function showRequestForStaff(
  executor: Executor,
  applicationId: string,
  requestId: string,
): Promise<ReturnType<typeof requestFileView> | Refusal<'not_found'>> {
  const found = await findLoggedRequest(executor, applicationId, requestId);
  return found
    ? requestFileView(found)
    : refuseStaff('not_found', `The log of this application has no request ${requestId}.`);
}
