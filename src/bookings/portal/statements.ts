import { findApplication } from '../../access/index.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { readStatement } from '../statements.ts';
import { bookingPortalActs } from './context.ts';

/** What the partner sold, changed, cancelled and owes in a month. */
export const portalStatementActs = bookingPortalActs({
  'portal.statement.get': async ({ context: { database }, actor, query: { month } }) => {
    const application = await findApplication(database, actor.applicationId);
    // It was deleted a moment ago.
    if (!application) return refusePortal('unauthenticated', 'session');
    const statement = await readStatement(database, application, month);
    return statement ?? refusePortal('policy_restricted', 'statement_too_long');
  },
});
