import { feedPageForStaff } from '../../access/index.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { refuseOperator } from '../../contract/operator/errors.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { changePage, startFields } from '../changes/page.ts';
import { changesOfInstallation } from '../store/change-feed.ts';
import { changeView } from '../views.ts';

const acts = staffActs<{ database: Database }>();

/** What programs of the operator read of changes. Spec: OUTSIDE-4. */
export const changeActs = acts({
  async 'operator.change.list'({ context: { database }, query: { from, ...query } }) {
    const fields = startFields(from, query.cursor);
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const size = limits.changePageSize.default;
    const page = feedPageForStaff(database.vault, 'staff.change.list', query, size);
    if (isRefusal(page)) return page;
    const found = await changePage(changesOfInstallation(database), page, from);
    if (isRefusal(found)) return refuseOperator('resync_required');
    const items = found.items.map((change) => ({ ...changeView(change), listing: change.listing }));
    return { ...found, items };
  },
});
