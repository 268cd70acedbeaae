import type { ChannelCalendars } from '../../api/homes-types.ts';

/** The calendar of another channel. */
export type Calendar = ChannelCalendars['items'][number];

/** Where a calendar comes from: the host of its address, or the name of its file. */
export const sourceOf = ({ origin, file }: Calendar): string | null => origin ?? file;
