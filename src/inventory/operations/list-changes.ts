import { pageForPartner } from '../../access/index.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { readByTime } from '../../platform/clock.ts';
import { changePage, startFields } from '../changes/page.ts';
import { read } from '../context.ts';
import { changesOfApplication, type ReadChanges } from '../store/change-feed.ts';
import { changeView } from '../views.ts';

const resyncMessage =
  'Changes after this cursor are gone: begin at the end of the feed, then read all homes and calendars.';

/** Spec: COPY-1. */
export const listChanges = read('inventory.change.list', {
  load(call) {
    const { from, ...query } = call.query;
    const fields = startFields(from, query.cursor);
    if (fields.length > 0) return refuse('invalid_input', { fields });
    // The cursor continues without `from`, so it is not bound to it.
    const limit = query.limit ?? limits.changePageSize.default;
    const page = pageForPartner({ ...call, query: { ...query, limit } });
    return isRefusal(page) ? page : { page, from };
  },
  async reply({ context, actor }, { page, from }) {
    const { executor, confirmsTime } = context;
    const changes = changesOfApplication(executor, actor.applicationId);
    const feed: ReadChanges = (...wanted) => readByTime(confirmsTime, () => changes(...wanted));
    const found = await changePage(feed, page, from);
    if (isRefusal(found)) return { ...found, message: resyncMessage };
    return { status: 200, body: { ...found, items: found.items.map(changeView) } };
  },
});
