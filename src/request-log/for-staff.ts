/** The request log of an application, for staff. */
import {
  findApplication,
  noSuch,
  type PageOfStaff,
  type PageRequest,
  sparsePageForStaff,
  unknownApplication,
} from '../access/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { scanAtMost, statusRange } from './operations/list-requests.ts';
import { requestFileView, requestView } from './operations/request-view.ts';
import { findLoggedRequest, listLoggedRequests, type LogPosition } from './store/requests.ts';

/** The calls to list; absent: all. */
export interface RequestFilter {
  method?: string | undefined;
  /** `404` or `4xx`. */
  status?: string | undefined;
  code?: string | undefined;
  operation?: string | undefined;
}

/** Lists the logged calls of an application, newest first. Throws `OperatorRefusal`. */
export async function listRequestsForStaff(
  executor: Executor,
  applicationId: string,
  filter: RequestFilter,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof requestView>>> {
  if (!(await findApplication(executor, applicationId))) throw unknownApplication(applicationId);
  const { method, status, code, operation } = filter;
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
          before,
          atMost,
          scanAtMost,
        });
        return { items: requests, lookedUntil };
      },
      placeOf: ({ at, requestId }) => ({ at, requestId }),
    },
    page,
  );
  return { ...found, items: found.items.map(requestView) };
}

/** Shows a logged call of an application by its request ID. Throws `OperatorRefusal`. */
export async function showRequestForStaff(
  executor: Executor,
  applicationId: string,
  requestId: string,
): Promise<ReturnType<typeof requestFileView>> {
  const found = await findLoggedRequest(executor, applicationId, requestId);
  if (!found) throw noSuch(`The log of this application has no request ${requestId}.`);
  return requestFileView(found);
}
