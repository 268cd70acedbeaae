/** The queries of the pages about homes, with their cache keys and refetch intervals. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type CalendarPart, homes } from './homes.ts';
import type { HomeFilter } from './homes-types.ts';

const interval = 10_000;

export const calendarQuery = (filter: HomeFilter, part: CalendarPart) =>
  queryOptions({
    queryKey: ['calendar', filter, part],
    queryFn: ({ signal }) => homes.readCalendar(filter, part, signal),
    refetchInterval: interval,
    staleTime: interval / 2,
  });

/** How many homes a page of their list has. */
export const homesPageSize = 50;

/** How many homes are before a page of the list, from the address. */
export const homesOffset = (offset: string | undefined): number =>
  Math.max(0, Number(offset ?? 0) || 0);

export const homesQuery = ({ text, catalogId }: HomeFilter, offset: string | undefined) => {
  const page = { offset: homesOffset(offset), limit: homesPageSize };
  return queryOptions({
    queryKey: ['homes', text, catalogId, page],
    queryFn: ({ signal }) => homes.list({ text, catalogId }, page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: interval,
  });
};

/** The first homes whose name, slug or destination contains a text. */
export const foundHomesQuery = (text: string) =>
  queryOptions({
    queryKey: ['found homes', text],
    queryFn: ({ signal }) => homes.list({ text }, { offset: 0, limit: 8 }, signal),
    staleTime: interval,
  });

export const withdrawnQuery = (page: { catalog: string; cursor?: string | undefined }) =>
  queryOptions({
    queryKey: ['withdrawn homes', page],
    queryFn: ({ signal }) => homes.listWithdrawn(page, signal),
    refetchInterval: interval,
  });

export const homeQuery = (name: string) =>
  queryOptions({
    queryKey: ['home', name],
    queryFn: ({ signal }) => homes.read(name, signal),
    refetchInterval: interval,
  });

export const catalogsQuery = queryOptions({
  queryKey: ['catalogs'],
  queryFn: ({ signal }) => homes.listCatalogs(signal),
  refetchInterval: interval,
});

export const blocksQuery = (page: { listing?: string | undefined; cursor?: string | undefined }) =>
  queryOptions({
    queryKey: ['blocks', page],
    queryFn: ({ signal }) => homes.listBlocks(page, signal),
    refetchInterval: interval,
  });

export const shownCalendarQuery = (calendarId: string) =>
  queryOptions({
    queryKey: ['channel calendar', calendarId],
    queryFn: ({ signal }) => homes.showCalendar(calendarId, signal),
    refetchInterval: interval,
  });

export const calendarsQuery = (listing: string | undefined) =>
  queryOptions({
    queryKey: ['channel calendars', listing],
    queryFn: ({ signal }) => homes.listCalendars(listing, signal),
    refetchInterval: interval,
  });

export const conflictsQuery = (listing: string | undefined) =>
  queryOptions({
    queryKey: ['channel conflicts', listing],
    queryFn: ({ signal }) => homes.listConflicts(listing, signal),
    refetchInterval: interval,
  });

export const promotionsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['promotions', cursor],
    queryFn: ({ signal }) => homes.listPromotions(cursor, signal),
    refetchInterval: interval,
  });
