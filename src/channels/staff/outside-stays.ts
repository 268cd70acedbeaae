/** What the operator's other systems tell of nights that they have sold. */
import { refuseArtificialNights } from '../../inventory/index.ts';
import { listConflictsOf } from '../manage-calendars.ts';
import {
  listOutsideStaysOf,
  putOutsideStay,
  readOutsideStay,
  removeOutsideStay,
} from '../outside-stays.ts';
import { conflictView, outsideStayView } from '../views.ts';
import { channelActs } from './acts.ts';

const noStays = 'outside stays';

const mostConflicts = 10_000;

/** Stays that other systems have sold, and nights that were sold twice. */
export const outsideStayActs = channelActs({
  'operator.conflict.list': ({ context, query: { listing } }) =>
    context.reads.run(async (from) => {
      const found = await listConflictsOf(from, { listing, atMost: mostConflicts });
      return { items: found.map(conflictView) };
    }),
  'operator.outsideStay.list': ({ context, query: { source, listing, limit, cursor } }) =>
    context.reads.run(async (from) => {
      const page = await listOutsideStaysOf(from, { source, listing }, { limit, cursor });
      return { items: page.items.map(outsideStayView), nextCursor: page.nextCursor };
    }),
  'operator.outsideStay.get': async ({ context, params }) =>
    outsideStayView(await readOutsideStay(context.database, params)),
  'operator.outsideStay.put': async ({ context, actor, params, body }) => {
    refuseArtificialNights(context.environment, noStays);
    const input = { ...body, reason: body.reason ?? null };
    const { stay, change } = await putOutsideStay(context.database, actor.name, params, input);
    return { status: change === 'added' ? 201 : 200, body: outsideStayView(stay) } as const;
  },
  'operator.outsideStay.remove': async ({ context, actor, params }) => {
    await removeOutsideStay(context.database, actor.name, params);
    return null;
  },
});
