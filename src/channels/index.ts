export { channelAttention } from './attention.ts';
export { calendarActs } from './staff/calendars.ts';
export { calendarListActs } from './staff/calendar-list.ts';
export { outsideStayActs } from './staff/outside-stays.ts';
export {
  addCalendar,
  calendarAddress,
  importCalendar,
  listCalendarsOf,
  listConflictsOf,
  refreshNow,
  removeCalendar,
} from './edit-calendars.ts';
export { calendarView, conflictView } from './views.ts';
export { exportCalendar } from './own-calendar.ts';
export { type PollerContext, startPolling } from './poller.ts';
export { type ChannelsOfHome, openChannelsOfHome } from './read-before-confirm.ts';
export { areContested } from './store/stale-calendars.ts';
export {
  countCalendarAlarms,
  countFailingCalendars,
  readOverdueCalendars,
} from './store/calendar-alarms.ts';
export type { ListedCalendar } from './store/listed-calendars.ts';
export { eraseSummaries, readSummaries, sweepChannelEvents } from './store/events.ts';
export { readCalendarsWhole } from './store/zone-rules.ts';
export { countConflicts } from './store/conflicts.ts';
export { digestSourcesAgain, sealedCalendars } from './store/calendars.ts';
export { addressesOfOtherKeys, removeAddressesOf } from './own-calendar.ts';
