/** What has a night of a home, as partners' stays depend on it. */

import type { DayNumber, Stay } from '../pricing/index.ts';

/**
 * `taken`: a stay or an event of another channel has it. `open`: nothing. `blocked`: an operator's block, or the
 * preparation after a stay or event. `lead`: nothing has it, but a stay with this night would have its own preparation
 * where a stay or event is.
 */
const nightState = { taken: 0, open: 1, blocked: 2, lead: 3 } as const;

/** The states of consecutive nights. */
export interface NightStates {
  from: DayNumber;
  states: Uint8Array;
}

const stateOf = ({ from, states }: NightStates, night: DayNumber): number | undefined =>
  states[night - from];

/** Whether something has a night. */
export const isTaken = (nights: NightStates, night: DayNumber): boolean => {
  const state = stateOf(nights, night);
  return state === nightState.taken || state === nightState.blocked;
};

/**
 * The nights that keep a stay from being booked: those that something has, and those of its own preparation on which a
 * stay or an event of a channel lies. Empty: the stay is free.
 *
 * Spec: the catalog file, Who may stay, and when.
 */
export function takenNights(
  nights: NightStates,
  { checkIn, checkOut }: Stay,
  preparationNights: number,
): DayNumber[] {
  const taken: DayNumber[] = [];
  for (let night = checkIn; night < checkOut; night += 1) {
    if (isTaken(nights, night)) taken.push(night);
  }
  for (let night = checkOut; night < checkOut + preparationNights; night += 1) {
    if (stateOf(nights, night) === nightState.taken) taken.push(night);
  }
  return taken;
}
