import { findApplication } from '../../access/index.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { readStatement } from '../statements.ts';
import { act } from './context.ts';

/** Returns what the partner sold, changed, cancelled and owes in a month. */
export const getStatement = act('portal.statement.get', {
  async reply({ context: { database }, actor: { applicationId }, query: { month } }) {
    const application = await findApplication(database, applicationId);
    // It was deleted a moment ago.
    if (!application) return refusePortal('unauthenticated', 'session');
    const body = await readStatement(database, application, month);
    return body === null
      ? refusePortal('policy_restricted', 'statement_too_long')
      : { status: 200, body };
  },
});
