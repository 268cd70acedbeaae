export { calendarActs } from './staff/calendars.ts';
export { calendarListActs } from './staff/manage.ts';
export {
  addCalendar,
  calendarAddress,
  importCalendar,
  listCalendarsOf,
  listConflictsOf,
  refreshNow,
  removeCalendar,
} from './manage-calendars.ts';
export { calendarView } from './views.ts';
export { exportCalendar } from './own-calendar.ts';
export { type PollerParts, startPolling } from './poller.ts';
export { type ChannelsOfHome, openChannelsOfHome } from './read-before-confirm.ts';
export { areContested } from './store/stale-calendars.ts';
export { readOverdueCalendars } from './store/calendar-alarms.ts';
export { type ListedCalendar } from './store/listed-calendars.ts';
export { countCalendarAlarms } from './store/calendar-alarms.ts';
export { countFailingCalendars } from './store/calendar-alarms.ts';
export { sweepChannelEvents } from './store/events.ts';
export { countConflicts } from './store/conflicts.ts';
