import type { EventType } from '../../contract/events.ts';
import type { NextAction, RequestState } from '../../contract/states.ts';
import type { ReservationRequest } from './booking.ts';
import { actionsAfterFailure } from './checkout.ts';

export interface RequestTransition {
  from: RequestState;
  /** Only an outcome causes a transition of a request. */
  when: 'made' | 'refused' | 'expired' | 'unknown';
  to: RequestState;
  emits: readonly EventType[];
}

const resolved = ['checkout.resolved'] as const;
const confirmed = ['checkout.resolved', 'reservation.confirmed'] as const;

/** The transition table of a reservation request. Spec: REQUEST-2. */
export const requestTransitions: readonly RequestTransition[] = [
  { from: 'pending', when: 'made', to: 'confirmed', emits: confirmed },
  { from: 'pending', when: 'refused', to: 'failed', emits: resolved },
  { from: 'pending', when: 'unknown', to: 'unresolved', emits: [] },
  { from: 'unresolved', when: 'made', to: 'confirmed', emits: confirmed },
  { from: 'unresolved', when: 'refused', to: 'failed', emits: resolved },
];

/** The row for a state and an outcome; undefined: no transition. */
export const requestTransition = (
  from: RequestState,
  when: RequestTransition['when'],
): RequestTransition | undefined =>
  requestTransitions.find((row) => row.from === from && row.when === when);

const actionsIn: Readonly<
  Record<
    RequestState,
    (request: Pick<ReservationRequest, 'failureReason'>) => readonly NextAction[]
  >
> = {
  pending: () => ['poll'],
  unresolved: () => ['poll'],
  confirmed: () => ['view_confirmation'],
  failed: (request) => actionsAfterFailure[request.failureReason ?? 'refused'],
};

/** What a client can do now. Spec: REQUEST-6. */
export const requestActions = (
  request: Pick<ReservationRequest, 'state' | 'failureReason'>,
): readonly NextAction[] => actionsIn[request.state](request);
