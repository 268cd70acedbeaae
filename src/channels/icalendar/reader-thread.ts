/** The thread in which calendars are read: it can be ended even if a calendar makes the parser loop. */
import { parentPort } from 'node:worker_threads';
import { readCalendar, type CalendarToRead } from './read-calendar.ts';

parentPort!.on('message', (calendar: CalendarToRead) => {
  parentPort!.postMessage(readCalendar(calendar), []);
});
