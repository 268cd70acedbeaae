/** How a channel means its calendar, as staff say. */
import type { Executor } from '../platform/postgres/database.ts';
import { shownVersion } from '../access/index.ts';
import { writeOptions, type CalendarOptionsRow } from './store/calendar-options.ts';
import { findListedCalendar, type ListedCalendar } from './store/listed-calendars.ts';

/** The options of a calendar that a person can give. Absent: as they are. */
export type OptionChanges = Partial<
  Omit<CalendarOptionsRow, 'ignore'> & { ignore: readonly string[] }
>;

/** The version of what staff edit of a calendar. */
export const optionsVersion = ({
  options: { ignore, end, free },
  userAgent,
  source,
}: Pick<ListedCalendar, 'options' | 'userAgent' | 'source'>): number =>
  shownVersion({ ignore, end, free, userAgent, source });

/** Changes options of a calendar that exists. Returns all of them. */
export async function changeOptionsOf(
  executor: Executor,
  calendarId: string,
  { ignore, ...changes }: OptionChanges,
): Promise<CalendarOptionsRow> {
  const { options, userAgent, source } = (await findListedCalendar(executor, calendarId))!;
  const texts = ignore?.map((text) => text.trim()).filter((text) => text !== '');
  const wanted = { ...options, userAgent, source, ...changes, ...(texts && { ignore: texts }) };
  await writeOptions(executor, calendarId, wanted);
  return wanted;
}
