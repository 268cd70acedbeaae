import type { FilterOf } from '../../api/types.ts';

type Filter = FilterOf<'operator.reservation.list'>;

/** In the address in place of a first day: the arrivals of all days. */
export const allDays = 'all';

const looksFor = ['reference', 'guestOf', 'partnerReference', 'recordsRefused'] as const;

/**
 * The filter of an address: arrivals from `today` on, unless it names a first day, looks for certain
 * reservations, or ends before today.
 */
export function shownFilter(address: Filter, today: string): Filter {
  const { from, to, cursor } = address;
  if (from === allDays) return { ...address, from: undefined };
  // A cursor is of the days that its page had.
  const isFixed = cursor !== undefined || looksFor.some((name) => address[name] !== undefined);
  const endsBefore = to !== undefined && to < today;
  return from !== undefined || isFixed || endsBefore ? address : { ...address, from: today };
}
