import { dayText, stayText } from '../words/days.ts';

/** Arrival and departure in one line, with their weekdays on hover. */
export const StayDays = ({ from, to }: { from: string; to: string }) => (
  <span className="nowrap" title={`${dayText(from)} – ${dayText(to)}`}>
    {stayText(from, to)}
  </span>
);
