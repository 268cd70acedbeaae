/** Texts for the states of bookings. */
import type { StateLabel } from '../../base/components/state-badge.tsx';

/** How a booking, its reservation, or an event of them stands. Other states are neutral. */
const bookingColors: Readonly<Record<string, string>> = {
  confirmed: 'teal',
  failed: 'red',
  expired: 'gray',
  cancelled: 'red',
  uncertain: 'orange',
  unresolved: 'orange',
};

/** The state of a booking or reservation, as a label. */
export const bookingState = (state: string): StateLabel => ({
  name: `${state.charAt(0).toUpperCase()}${state.slice(1).replaceAll('_', ' ')}`,
  color: bookingColors[state] ?? 'blue',
});
