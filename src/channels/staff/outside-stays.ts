/** What the operator's other systems tell of nights that they have sold. */
import { isRefusal } from '../../contract/errors.ts';
import { artificialNightsRefusal } from '../../inventory/index.ts';
import {
  listOutsideStaysOf,
  putOutsideStay,
  readOutsideStay,
  removeOutsideStay,
} from '../outside-stays.ts';
import { outsideStayView } from '../views.ts';
import { channelActs } from './acts.ts';

const noStays = 'outside stays';

/** Stays that other systems have sold. */
export const outsideStayActs = channelActs({
  'operator.outsideStay.list': ({ context, query: { source, listing, limit, cursor } }) =>
    context.reads.run(async (from) => {
      const page = await listOutsideStaysOf(from, { source, listing }, { limit, cursor });
      return isRefusal(page) ? page : { ...page, items: page.items.map(outsideStayView) };
    }),
  'operator.outsideStay.get': async ({ context, params }) => {
    const stay = await readOutsideStay(context.database, params);
    return isRefusal(stay) ? stay : outsideStayView(stay);
  },
  'operator.outsideStay.put': async ({ context, actor, params, body }) => {
    const refusal = artificialNightsRefusal(context.environment, noStays);
    if (refusal) return refusal;
    const input = { ...body, reason: body.reason ?? null };
    const put = await putOutsideStay(context.database, actor.name, params, input);
    if (isRefusal(put)) return put;
    const { stay, change } = put;
    return { status: change === 'added' ? 201 : 200, body: outsideStayView(stay) } as const;
  },
  'operator.outsideStay.remove': async ({ context, actor, params }) => {
    await removeOutsideStay(context.database, actor.name, params);
    return null;
  },
});
