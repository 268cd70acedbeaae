/** The operations on homes that the pages call, one function each. */
import { call } from './call.ts';
import type {
  CalendarChange,
  CatalogImport,
  ChangedHome,
  Draft,
  HomeFilter,
  NewBlock,
  NewHome,
  NewRates,
  PromotionContent,
  TextReplacement,
} from './homes-types.ts';

const of = (listing: string) => ({ params: { listing } });

/** Which part of the calendar is read. */
export interface CalendarPart {
  from: string;
  days: number;
  offset: number;
  limit: number;
}

interface FileInput {
  file: string;
  dryRun: boolean;
}

export const homes = {
  readCalendar: (filter: HomeFilter, part: CalendarPart, signal?: AbortSignal) =>
    call('GET', '/calendar', {
      query: { ...filter, sleeps: filter.sleeps ? Number(filter.sleeps) : undefined, ...part },
      ...(signal && { signal }),
    }),
  list: (filter: HomeFilter, page: { offset: number; limit: number }, signal: AbortSignal) =>
    call('GET', '/listings', { query: { ...filter, ...page }, signal }),
  read: (name: string, signal: AbortSignal) =>
    call('GET', '/listings/{listing}', { ...of(name), signal }),
  add: (body: NewHome) => call('POST', '/listings', { body }),
  change: (name: string, body: ChangedHome) =>
    call('PUT', '/listings/{listing}', { ...of(name), body }),
  previewReplaceText: (body: TextReplacement) =>
    call('POST', '/listings/replace-text/preview', { body }),
  replaceText: (body: TextReplacement) => call('POST', '/listings/replace-text', { body }),
  undoReplaceText: (replacementId: string) =>
    call('POST', '/listings/replacements/{replacementId}/undo', { params: { replacementId } }),
  withdraw: (name: string, catalog: string) =>
    call('POST', '/listings/{listing}/withdraw', { ...of(name), body: { catalog } }),
  offer: (name: string, catalog: string) =>
    call('POST', '/listings/{listing}/offer', { ...of(name), body: { catalog } }),
  listWithdrawn: (page: { catalog: string; cursor?: string | undefined }, signal: AbortSignal) =>
    call('GET', '/withdrawn-listings', { query: { ...page, limit: 50 }, signal }),
  uploadPicture: (bytes: Blob) => call('POST', '/pictures', { bytes }),
  price: (body: Draft, signal: AbortSignal) => call('POST', '/listings/price', { body, signal }),
  previewRates: (body: NewRates) => call('POST', '/rates/preview', { body }),
  setRates: (body: NewRates) => call('POST', '/rates', { body }),
  undoRates: (rateChangeId: string) =>
    call('POST', '/rates/changes/{rateChangeId}/undo', { params: { rateChangeId } }),
  importRates: (body: FileInput & { allowUnusual?: boolean }) =>
    call('POST', '/rates/import', { body }),
  listBlocks: (
    page: { listing?: string | undefined; cursor?: string | undefined },
    signal: AbortSignal,
  ) => call('GET', '/blocks', { query: { ...page, limit: 100 }, signal }),
  addBlock: (body: NewBlock) => call('POST', '/blocks', { body }),
  removeBlock: (blockId: string) => call('DELETE', '/blocks/{blockId}', { params: { blockId } }),
  importBlocks: (body: FileInput) => call('POST', '/blocks/import', { body }),
  listCatalogs: (signal: AbortSignal) => call('GET', '/catalogs', { signal }),
  importCatalog: (body: CatalogImport) => call('POST', '/catalogs/import', { body }),
  exportCatalog: (slug: string) =>
    call('GET', '/catalogs/{catalog}/export', { params: { catalog: slug } }),
  listCalendars: (name: string | undefined, signal: AbortSignal) =>
    call('GET', '/channel-calendars', { query: { listing: name }, signal }),
  listConflicts: (name: string | undefined, signal: AbortSignal) =>
    call('GET', '/conflicts', { query: { listing: name }, signal }),
  addCalendar: (body: { listing: string; url: string }) =>
    call('POST', '/channel-calendars', { body }),
  showCalendar: (calendarId: string, signal: AbortSignal) =>
    call('GET', '/channel-calendars/{calendarId}', { params: { calendarId }, signal }),
  setCalendar: (calendarId: string, body: CalendarChange) =>
    call('PATCH', '/channel-calendars/{calendarId}', { params: { calendarId }, body }),
  acceptCalendar: (calendarId: string) =>
    call('POST', '/channel-calendars/{calendarId}/accept', { params: { calendarId } }),
  keepCalendar: (calendarId: string) =>
    call('POST', '/channel-calendars/{calendarId}/keep', { params: { calendarId } }),
  refreshCalendar: (calendarId: string) =>
    call('POST', '/channel-calendars/{calendarId}/refresh', { params: { calendarId } }),
  removeCalendar: (calendarId: string) =>
    call('DELETE', '/channel-calendars/{calendarId}', { params: { calendarId } }),
  importCalendar: (body: { listing: string; name: string; file: string }) =>
    call('POST', '/channel-calendars/import', { body }),
  calendarAddress: (body: { listing: string; rotate: boolean; calendarId?: string }) =>
    call('POST', '/channel-calendars/address', { body }),
  listPromotions: (cursor: string | undefined, signal: AbortSignal) =>
    call('GET', '/promotions', { query: { cursor, limit: 50 }, signal }),
  addPromotion: (body: { catalog: string; promotion: PromotionContent }) =>
    call('POST', '/promotions', { body }),
  changePromotion: (promotion: PromotionContent, expectedVersion: number) => {
    const params = { code: promotion.code };
    return call('PUT', '/promotions/{code}', { params, body: { promotion, expectedVersion } });
  },
  pausePromotion: (code: string, isPaused: boolean) => {
    const params = { code };
    return isPaused
      ? call('POST', '/promotions/{code}/pause', { params })
      : call('POST', '/promotions/{code}/resume', { params });
  },
  endPromotion: (code: string) => call('POST', '/promotions/{code}/end', { params: { code } }),
} as const;
