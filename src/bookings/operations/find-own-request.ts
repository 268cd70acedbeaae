import type { Executor } from '../../platform/postgres/database.ts';
import type { ChangeRequest } from '../rules/change-request.ts';
import { findChangeRequest } from '../store/change-requests.ts';

/** Reads a request of an application for one reservation. */
export async function findOwnRequest(
  executor: Executor,
  applicationId: string,
  { reference, changeRequestId }: { reference: string; changeRequestId: string },
): Promise<ChangeRequest | undefined> {
  const found = await findChangeRequest(executor, { applicationId, changeRequestId });
  return found?.request.reference === reference ? found.request : undefined;
}
