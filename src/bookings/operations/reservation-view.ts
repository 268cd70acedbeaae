/** Whether a reservation has reached all systems of the operator. Spec: Resources, Reservation. */
export const materializationOf = (isMaterialized: boolean): 'ready' | 'pending' =>
  isMaterialized ? 'ready' : 'pending';
