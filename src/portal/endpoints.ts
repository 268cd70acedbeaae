import { isRefusal, refuse, type InvalidField, type Refusal } from '../contract/errors.ts';
import { exampleEvents } from '../contract/examples/booking.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import { holdApplication } from '../db/applications.ts';
import { insertAuditEntry } from '../db/audit-entries.ts';
import type { Executor } from '../db/database.ts';
import { insertTestDelivery, replayFailed, replayMissed } from '../db/webhook-deliveries.ts';
import * as endpoints from '../db/webhook-endpoints.ts';
import { endpointUrlRefusal, newWebhookSecret } from '../events/index.ts';
import type { PortalHouse, PortalOperation, Visitor } from './call.ts';
import { deliveryView, endpointView, secretsView } from './views.ts';

const missing = () => refusePortal('not_found');
const wrong = (fields: InvalidField[]) => refuse('invalid_input', { fields });

/** Something done to an endpoint; undefined: there is no such endpoint. */
type Change<T> = (executor: Executor) => Promise<T | Refusal | undefined>;

/**
 * Makes a change and its entry in the audit trail, in one transaction. A change that is refused, or
 * finds nothing to change, leaves no entry.
 */
async function audited<T extends object, R extends Refusal>(
  { database, wakeDeliverer }: PortalHouse,
  { applicationId, actor }: Visitor,
  entry: { action: string; details: Record<string, unknown> },
  change: (executor: Executor) => Promise<T | R | undefined>,
): Promise<T | R | Refusal<'not_found'>> {
  const changed = await database.transaction(async (executor) => {
    const done = await change(executor);
    const isDone = done !== undefined && !isRefusal(done);
    if (isDone) await insertAuditEntry(executor, { ...entry, actor, applicationId });
    return done;
  });
  if (changed === undefined) return missing();
  wakeDeliverer();
  return changed;
}
