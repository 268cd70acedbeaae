import type {
  CheckoutStatus,
  Confirmation,
  CreateQuote,
  GuestInput,
  Quote,
} from '../contract/types.ts';
import type { LatchkeyClient } from './client.ts';
import { LatchkeyError } from './errors.ts';
import { newId } from './identity.ts';
import { hasEnded } from './outcome.ts';

/** What to book, and what the guest has agreed to. */
export interface BookingInput extends Omit<CreateQuote, 'quoteId'> {
  guest: GuestInput;
  /** Your order number, unique among your bookings. */
  partnerReference?: string;
  /** Shown the exact price and terms: true if the guest accepts them. Asked again for every new quote. */
  accept: (quote: Quote) => boolean | Promise<boolean>;
}

/** Where a booking stands: store it at each step, and a process that is started again can go on with `resume`. */
export interface BookingProgress {
  quoteId: string;
  checkoutId: string;
  termsVersion: string;
  /** Secret, as a password is. Null until the checkout exists. */
  session: string | null;
}

/** How a booking goes on. */
export interface BookingOptions {
  signal?: AbortSignal;
  /** Awaited before each step that must not be made twice: store it. */
  onProgress?: (progress: BookingProgress) => void | Promise<void>;
}

/** How a booking ended. */
export type BookingResult =
  | { state: 'confirmed'; confirmation: Confirmation }
  /**
   * There is no reservation. `reason` is that of `failure`, `declined` if `accept` said no, or `needs_payment` if the
   * guest has to pay by card at the service.
   */
  | { state: 'failed'; reason: string };

const failed = ({ failure }: CheckoutStatus): BookingResult => ({
  state: 'failed',
  reason: failure?.reason ?? 'expired',
});

/**
 * Books a stay that the partner settles: quote, checkout, guest, submit, outcome. Repeats are the client's; the
 * booking is never given up once it is submitted. A price or terms that have changed meanwhile, and
 * a session that has ended before, are quoted and accepted anew, at most twice. Throws what a call throws: a home that may not be booked, for example.
 */
export async function bookStay(
  client: LatchkeyClient,
  input: BookingInput,
  options: BookingOptions = {},
): Promise<BookingResult> {
  for (let quotes = 1; ; quotes += 1) {
    const result = await bookOnce(client, input, options);
    const isStale = result.state === 'failed' && staleReasons.has(result.reason);
    if (!isStale || quotes === mostQuotes) return result;
  }
}

const mostQuotes = 3;
const staleReasons: ReadonlySet<string> = new Set([
  'price_changed',
  'policy_changed',
  'quote_expired',
  'expired',
  'session_expired',
]);

async function bookOnce(
  client: LatchkeyClient,
  { guest, partnerReference, accept, ...stay }: BookingInput,
  { signal, onProgress }: BookingOptions,
): Promise<BookingResult> {
  const signals = signal ? { signal } : {};
  const ids = { quoteId: newId(), checkoutId: newId() };
  const quote = await client.call(
    'reservation.quote.create',
    { body: { ...stay, quoteId: ids.quoteId } },
    signals,
  );
  if (!(await accept(quote))) return { state: 'failed', reason: 'declined' };
  const progress = { ...ids, termsVersion: quote.terms.version };
  await onProgress?.({ ...progress, session: null });
  const created = await client
    .call(
      'reservation.checkout.create',
      { body: { ...ids, ...(partnerReference !== undefined && { partnerReference }) } },
      signals,
    )
    .catch(expiredQuote);
  if (!created) return { state: 'failed', reason: 'quote_expired' };
  const session = created.sessionCapability ?? '';
  await onProgress?.({ ...progress, session });
  let isSubmitted = false;
  const onSubmit = () => {
    isSubmitted = true;
  };
  return goOn(client, { ...progress, session, guest }, { ...signals, onSubmit }).catch((error) => {
    // It cannot be read any more. If it was submitted, only the reservations tell what became of it.
    if (isSubmitted || !isEndedSession(error)) throw error;
    return { state: 'failed', reason: 'session_expired' };
  });
}

const isEndedSession = (error: unknown): boolean =>
  error instanceof LatchkeyError &&
  (error.error.details as { reason?: string } | undefined)?.reason === 'session_expired';

const expiredQuote = (error: unknown): null => {
  if (error instanceof LatchkeyError && error.error.code === 'quote_expired') return null;
  throw error;
};

/** Goes on with a booking from where it stands: saves the guest and submits it if that is still to do. */
export const submitBooking = (
  client: LatchkeyClient,
  booking: StartedBooking,
  signals: { signal?: AbortSignal } = {},
): Promise<BookingResult> => goOn(client, booking, { ...signals, onSubmit: () => undefined });

type StartedBooking = Omit<BookingProgress, 'quoteId'> & { session: string; guest: GuestInput };

async function goOn(
  client: LatchkeyClient,
  { checkoutId, session, termsVersion, guest }: StartedBooking,
  { onSubmit, ...signals }: { signal?: AbortSignal; onSubmit: () => void },
): Promise<BookingResult> {
  const options = { session, ...signals };
  const params = { checkoutId };
  for (;;) {
    const { state, version, nextActions } = await client.call(
      'reservation.checkout.get',
      { params },
      options,
    );
    // It was never submitted, and cannot be any more.
    if (nextActions.includes('refresh_quote') && !hasEnded({ state, nextActions })) {
      return { state: 'failed', reason: 'quote_expired' };
    }
    try {
      if (nextActions.includes('save_guest') && !nextActions.includes('submit')) {
        const body = { expectedVersion: version, guest };
        await client.call('reservation.checkout.saveGuest', { params, body }, options);
        continue;
      }
      // The guest's card is needed, which only a page can ask for.
      if (nextActions.includes('setup_payment') && !nextActions.includes('submit')) {
        return { state: 'failed', reason: 'needs_payment' };
      }
      if (nextActions.includes('submit')) {
        const body = { expectedVersion: version, termsVersion, termsAccepted: true } as const;
        onSubmit();
        await client.call('reservation.checkout.submit', { params, body }, options);
      }
    } catch (error) {
      // Somebody else changed it: read it again and decide anew.
      if (error instanceof LatchkeyError && error.error.code === 'precondition_failed') continue;
      if (expiredQuote(error) === null) return { state: 'failed', reason: 'quote_expired' };
    }
    const status = (await client.waitForOutcome(
      { checkoutId, session },
      signals,
    )) as CheckoutStatus;
    if (status.state !== 'confirmed') return failed(status);
    const confirmation = await client.call(
      'reservation.checkout.getConfirmation',
      { params },
      options,
    );
    return { state: 'confirmed', confirmation };
  }
}
