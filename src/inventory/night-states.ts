/** What has a night of a home, as partners' stays depend on it. */

import type { DayNumber, Stay } from '../pricing/index.ts';

/**
 * `taken`: a stay or an event of another channel has it. `open`: nothing. `blocked`: an operator's block, or the
 * preparation after a stay or event. `lead`: nothing has it, but a stay with this night would have its own preparation
 * where a stay or event is.
 */
export const nightState = { taken: 0, open: 1, blocked: 2, lead: 3 } as const;

/** The states of consecutive nights. */
export interface NightStates {
  from: DayNumber;
  states: Uint8Array;
}

const stateOf = ({ from, states }: NightStates, night: DayNumber): number | undefined =>
  states[night - from];

/** Nights that something has, half-open, and the nights before them that no partner's stay can have. */
export interface TakenPart {
  from: DayNumber;
  to: DayNumber;
  /** How many nights before `from` are a lead. */
  lead: number;
}

/** Nights that a stay, an event or a block has, and how many nights of preparation follow them. */
export interface Occupied {
  from: DayNumber;
  to: DayNumber;
  preparation: number;
  isBlock: boolean;
}

/** The states of nights that these occupy. */
export function statesOf(
  occupied: readonly Occupied[],
  from: DayNumber,
  nights: number,
): Uint8Array {
  const states = new Uint8Array(nights).fill(nightState.open);
  const fill = (state: number, first: DayNumber, afterLast: DayNumber): void => {
    states.fill(state, Math.max(0, first - from), Math.max(0, afterLast - from));
  };
  // What matters more is filled later.
  for (const one of occupied) fill(nightState.lead, one.from - one.preparation, one.from);
  for (const one of occupied) fill(nightState.blocked, one.to, one.to + one.preparation);
  for (const one of occupied) if (one.isBlock) fill(nightState.blocked, one.from, one.to);
  for (const one of occupied) if (!one.isBlock) fill(nightState.taken, one.from, one.to);
  return states;
}

/** Whether nothing has a night of a state. Spec: CALENDAR-3. */
export const isAvailable = (state: number): boolean =>
  state === nightState.open || state === nightState.lead;

/** Whether a stay with a night of this state would have its own preparation where a stay or event is. */
export const isLead = (state: number): boolean => state === nightState.lead;

/** Whether something has a night. */
export const isTaken = (nights: NightStates, night: DayNumber): boolean => {
  const state = stateOf(nights, night);
  return state === nightState.taken || state === nightState.blocked;
};

/**
 * The nights that keep a stay from being booked: those that something has, and those of its own preparation on which a
 * stay or an event of a channel lies. Empty: the stay is free.
 *
 * Spec: STAY-8.
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
