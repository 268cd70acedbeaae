/** The request and response types of the operations on homes, derived from the operation table. */
import type {
  OperatorBodyOf,
  OperatorOperationId,
  OperatorReplyOf,
} from '#contract/operator/operations.ts';

type ReplyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

/** Which homes a list has. */
export interface HomeFilter {
  text?: string | undefined;
  catalogId?: string | undefined;
  collectionId?: string | undefined;
  /** Both or none: only homes that are free from one day to another. */
  freeFrom?: string | undefined;
  freeTo?: string | undefined;
  /** For how many guests. */
  sleeps?: string | undefined;
}

export type CalendarPage = ReplyOf<'operator.calendar.read'>;
export type CalendarHome = CalendarPage['homes'][number];
export type Bar = CalendarHome['bars'][number];
export type HomePage = ReplyOf<'operator.listing.list'>;
export type HomeDetail = ReplyOf<'operator.listing.get'>;
export type HomeContent = HomeDetail['listing'];
export type ChangedHome = OperatorBodyOf<'operator.listing.change'>;
export type NewHome = OperatorBodyOf<'operator.listing.add'>;
export type TextReplacement = OperatorBodyOf<'operator.listing.replaceText'>;
export type ReplacedText = ReplyOf<'operator.listing.replaceText'>;
export type Draft = OperatorBodyOf<'operator.listing.price'>;
export type DraftPrice = ReplyOf<'operator.listing.price'>;
export type WithdrawnPage = ReplyOf<'operator.listing.listWithdrawn'>;
export type NewRates = OperatorBodyOf<'operator.rate.set'>;
export type ChangedRates = ReplyOf<'operator.rate.set'>;
export type NewBlock = OperatorBodyOf<'operator.block.add'>;
export type BlockPage = ReplyOf<'operator.block.list'>;
export type ChannelCalendars = ReplyOf<'operator.channelCalendar.list'>;
export type ShownCalendar = ReplyOf<'operator.channelCalendar.show'>;
export type CalendarImported = ReplyOf<'operator.channelCalendar.import'>;
export type CalendarChange = OperatorBodyOf<'operator.channelCalendar.set'>;
export type Conflicts = ReplyOf<'operator.conflict.list'>;
export type Catalogs = ReplyOf<'operator.catalog.list'>;
export type CatalogImport = OperatorBodyOf<'operator.catalog.import'>;
export type CatalogImported = ReplyOf<'operator.catalog.import'>;
export type RatesImported = ReplyOf<'operator.rate.import'>;
export type BlocksImported = ReplyOf<'operator.block.import'>;
type PromotionPage = ReplyOf<'operator.promotion.list'>;
export type ListedPromotion = PromotionPage['items'][number];
export type PromotionContent = ListedPromotion['promotion'];
