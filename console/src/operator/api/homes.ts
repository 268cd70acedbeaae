/** The operations on homes that the pages call, one function each. */
import { callerOf, queryOf } from '../../base/api/call.ts';
import type {
  BlockPage,
  BlocksImported,
  CalendarPage,
  CatalogImport,
  CatalogImported,
  Catalogs,
  ChangedHome,
  ChannelCalendars,
  ChannelConflicts,
  Draft,
  DraftPrice,
  HomeDetail,
  HomeFilter,
  HomePage,
  ListedPromotion,
  NewBlock,
  NewHome,
  NewRates,
  PromotionContent,
  PromotionPage,
  RatesImported,
  UploadedPicture,
  WithdrawnPage,
} from './homes-types.ts';

const call = callerOf('/operator/v1');

const listing = (name: string) => `/listings/${encodeURIComponent(name)}`;

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
    call<CalendarPage>('GET', `/calendar${queryOf({ ...filter, ...part })}`, signal && { signal }),
  list: (filter: HomeFilter, page: { offset: number; limit: number }, signal: AbortSignal) =>
    call<HomePage>('GET', `/listings${queryOf({ ...filter, ...page })}`, { signal }),
  read: (name: string, signal: AbortSignal) => call<HomeDetail>('GET', listing(name), { signal }),
  add: (body: NewHome) => call<HomeDetail>('POST', '/listings', { body }),
  change: (name: string, body: ChangedHome) => call<HomeDetail>('PUT', listing(name), { body }),
  withdraw: (name: string, catalog: string) =>
    call<HomeDetail>('POST', `${listing(name)}/withdraw`, { body: { catalog } }),
  offer: (name: string, catalog: string) =>
    call<HomeDetail>('POST', `${listing(name)}/offer`, { body: { catalog } }),
  listWithdrawn: (page: { catalog: string; cursor?: string | undefined }, signal: AbortSignal) =>
    call<WithdrawnPage>('GET', `/withdrawn-listings${queryOf({ ...page, limit: 50 })}`, { signal }),
  uploadPicture: (bytes: Blob) => call<UploadedPicture>('POST', '/pictures', { bytes }),
  price: (body: Draft, signal: AbortSignal) =>
    call<DraftPrice>('POST', '/listings/price', { body, signal }),
  setRates: (body: NewRates) => call<{ changed: number }>('POST', '/rates', { body }),
  importRates: (body: FileInput) => call<RatesImported>('POST', '/rates/import', { body }),
  listBlocks: (
    page: { listing?: string | undefined; cursor?: string | undefined },
    signal: AbortSignal,
  ) => call<BlockPage>('GET', `/blocks${queryOf({ ...page, limit: 100 })}`, { signal }),
  addBlock: (body: NewBlock) => call<{ blockId: string }>('POST', '/blocks', { body }),
  removeBlock: (blockId: string) => call<object>('DELETE', `/blocks/${blockId}`),
  importBlocks: (body: FileInput) => call<BlocksImported>('POST', '/blocks/import', { body }),
  listCatalogs: (signal: AbortSignal) => call<Catalogs>('GET', '/catalogs', { signal }),
  importCatalog: (body: CatalogImport) =>
    call<CatalogImported>('POST', '/catalogs/import', { body }),
  exportCatalog: (slug: string) =>
    call<object>('GET', `/catalogs/${encodeURIComponent(slug)}/export`),
  listCalendars: (name: string | undefined, signal: AbortSignal) =>
    call<ChannelCalendars>('GET', `/channel-calendars${queryOf({ listing: name })}`, { signal }),
  listConflicts: (name: string | undefined, signal: AbortSignal) =>
    call<ChannelConflicts>('GET', `/channel-calendars/conflicts${queryOf({ listing: name })}`, {
      signal,
    }),
  addCalendar: (body: { listing: string; url: string }) =>
    call<{ calendarId: string }>('POST', '/channel-calendars', { body }),
  refreshCalendar: (calendarId: string) =>
    call<object>('POST', `/channel-calendars/${calendarId}/refresh`, { body: {} }),
  removeCalendar: (calendarId: string) =>
    call<object>('DELETE', `/channel-calendars/${calendarId}`),
  importCalendar: (body: { listing: string; name: string; file: string }) =>
    call<object>('POST', '/channel-calendars/import', { body }),
  calendarAddress: (body: { listing: string; rotate: boolean; calendarId?: string }) =>
    call<{ url: string }>('POST', '/channel-calendars/address', { body }),
  listPromotions: (cursor: string | undefined, signal: AbortSignal) =>
    call<PromotionPage>('GET', `/promotions${queryOf({ cursor, limit: 50 })}`, { signal }),
  addPromotion: (body: { catalog: string; promotion: PromotionContent }) =>
    call<ListedPromotion>('POST', '/promotions', { body }),
  changePromotion: (promotion: PromotionContent) =>
    call<ListedPromotion>('PUT', `/promotions/${encodeURIComponent(promotion.code)}`, {
      body: { promotion },
    }),
  endPromotion: (code: string) =>
    call<ListedPromotion>('POST', `/promotions/${encodeURIComponent(code)}/end`, { body: {} }),
} as const;
