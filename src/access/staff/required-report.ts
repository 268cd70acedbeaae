import type { Environment } from '../../contract/wire.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Application } from '../store/applications.ts';
import { hasVerifiedReport } from '../store/reports.ts';

/** Whether a key of an application waits for a report of a conformance run. Spec: SANDBOX-5. */
export const lacksReport = async (
  executor: Executor,
  { applicationId, requireReport }: Application,
  environment: Environment,
): Promise<boolean> =>
  environment === 'live' && requireReport && !(await hasVerifiedReport(executor, applicationId));
