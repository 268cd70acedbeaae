import { lazyRouteComponent } from '@tanstack/react-router';

/**
 * The chart of bookings by day. The library of charts is larger than all other code of the page, so what needs a
 * person is shown first.
 */
export const LateChart = lazyRouteComponent(() => import('./booked-chart.tsx'), 'BookedChart');
