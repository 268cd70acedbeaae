import { staffActs } from '../../api/staff-acts.ts';
import { namedGuest, readGuestsOfReservations } from '../../bookings/index.ts';
import { conflictView, listConflictsOf } from '../../channels/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import type { CommandLineContext } from '../context.ts';

const mostConflicts = 10_000;

/** Nights that were sold twice, each with the guest who has them here. */
export const conflictActs = staffActs<CommandLineContext>()({
  'operator.conflict.list': ({ context, query: { listing } }) =>
    context.reads.run(async (from) => {
      const found = await listConflictsOf(from, { listing, atMost: mostConflicts });
      if (isRefusal(found)) return found;
      const guests = await readGuestsOfReservations(
        from,
        found.flatMap(({ reference }) => (reference === null ? [] : [reference])),
      );
      const items = found.map((conflict) => ({
        ...conflictView(conflict),
        ...namedGuest(guests.get(conflict.reference ?? '')),
      }));
      return { items };
    }),
});
