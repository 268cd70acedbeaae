import { latePage } from '../../../base/components/late-page.tsx';

/**
 * The chart of bookings by day. The library of charts is larger than all other code of the page, so what needs a
 * person is shown first.
 */
export const LateChart = latePage(() => import('./booked-chart.tsx'), 'BookedChart');
