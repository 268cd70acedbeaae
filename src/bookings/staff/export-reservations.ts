import { operatorLimits } from '../../contract/operator/limits.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { mapInSlices } from '../../platform/slices.ts';
import { nightsOf, stayOf } from '../../pricing/index.ts';
import { countStaysWithin, listStaysWithin } from '../store/staff-reservations.ts';
import { listedView } from './views.ts';

const shownAtOnce = 1_000;

/** Exports the stays that have a night in these days, `to` excluded; cancelled ones too. Spec: RESERVATION-10. */
export async function exportReservations(executor: Executor, period: { from: string; to: string }) {
  if (period.to <= period.from) {
    const message = 'must be after from';
    return refuseStaff('invalid_input', `to ${message}.`, { path: 'query/to', message });
  }
  const { exportedStays } = operatorLimits;
  const tooMany = () =>
    refuseConflict(`These days have more than ${exportedStays} stays: export a shorter period.`);
  if ((await countStaysWithin(executor, period, exportedStays + 1)) > exportedStays) {
    return tooMany();
  }
  const found = await listStaysWithin(executor, period, exportedStays + 1);
  if (found.length > exportedStays) return tooMany();
  const shown = (stay: (typeof found)[number]) => ({
    ...listedView(stay),
    nights: nightsOf(stayOf(stay)),
  });
  return { items: await mapInSlices(found, shownAtOnce, shown) };
}
