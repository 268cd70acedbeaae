import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { calendarQuery } from '../../api/homes-queries.ts';
import type { CalendarHome, CalendarPage, HomeFilter } from '../../api/homes-types.ts';
import { dateOf } from '../../words/days.ts';
import { partDays, partHomes } from './first-part.ts';

const pauseMs = 60;

/** Rows and columns of the grid, both ends included. */
interface Window {
  rows: readonly [first: number, last: number];
  days: readonly [first: number, last: number];
}

/** What is known of the homes of the window. */
export interface WindowHomes {
  /** Undefined: nothing has been read yet. */
  total: number | undefined;
  /** The parts of a row, from the earliest night; empty while they are read. */
  row(at: number): readonly KnownPart[];
  error: Error | null;
  retry(): void;
}

/** A home over the nights of one part. */
export interface KnownPart {
  home: CalendarHome;
  /** The column of its first night. */
  firstDay: number;
}

const partsOf = (first: number, last: number, size: number): number[] => {
  const from = Math.max(0, Math.floor(first / size));
  return Array.from(
    { length: Math.max(1, Math.floor(last / size) - from + 1) },
    (_, at) => from + at,
  );
};

const nothing: readonly KnownPart[] = [];

/** Reads the parts of the calendar that the window shows. Fast scrolling skips what is passed. */
export function useWindowHomes(filter: HomeFilter, originDay: number, window: Window): WindowHomes {
  const pages = partsOf(...window.rows, partHomes);
  const spans = partsOf(...window.days, partDays);
  const [wanted] = useDebouncedValue(`${pages.join()} ${spans.join()}`, pauseMs);
  const parts = useMemo(() => {
    const [rows = [], columns = []] = wanted.split(' ').map((text) => text.split(',').map(Number));
    return rows.flatMap((page) => columns.map((span) => ({ page, span })));
  }, [wanted]);
  const combine = useCallback(
    (results: UseQueryResult<CalendarPage>[]): WindowHomes => {
      const known = new Map<number, KnownPart[]>();
      results.forEach(({ data }, at) => {
        const { span } = parts[at]!;
        data?.homes.forEach((home, index) => {
          const row = data.offset + index;
          const others = known.get(row) ?? [];
          known.set(row, [...others, { home, firstDay: span * partDays }]);
        });
      });
      return {
        total: results.find(({ data }) => data)?.data?.total,
        row: (at) => known.get(at) ?? nothing,
        error: results.find(({ error }) => error)?.error ?? null,
        retry: () => results.forEach((result) => void result.refetch()),
      };
    },
    [parts],
  );
  return useQueries({
    queries: parts.map(({ page, span }) =>
      calendarQuery(filter, {
        from: dateOf(originDay + span * partDays),
        days: partDays,
        offset: page * partHomes,
        limit: partHomes,
      }),
    ),
    combine,
  });
}
