export {
  bookStay,
  type BookingInput,
  type BookingOptions,
  type BookingProgress,
  type BookingResult,
  submitBooking,
} from './client/book.ts';
export {
  createClient,
  type FollowedEvents,
  type FollowOptions,
  LatchkeyClient,
} from './client/client.ts';
export type { CallOptions, Reply } from './client/call.ts';
export { LatchkeyError, NoAnswerError } from './client/errors.ts';
export { newId } from './client/identity.ts';
export type { InputOf, OperationId, ReplyOf } from './client/operation.ts';
export {
  type BookingName,
  type BookingStatus,
  hasEnded,
  type WaitOptions,
} from './client/outcome.ts';
export type { ClientSettings, Identity } from './client/settings.ts';
export { currencyDigits } from './contract/currency-digits.ts';
export { wireVersion } from './contract/operations.ts';
export type * from './contract/types.ts';
export { type HeadersLike, signWebhook, verifyWebhook, WebhookError } from './webhooks.ts';
