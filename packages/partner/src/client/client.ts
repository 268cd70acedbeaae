import type { Event } from '../contract/types.ts';
import { Caller, type CallOptions, type Reply } from './call.ts';
import type { AnyInput, InputOf, OperationId, ReplyOf } from './operation.ts';
import {
  type BookingName,
  type BookingStatus,
  hasEnded,
  pollSeconds,
  saysNothing,
  type WaitOptions,
} from './outcome.ts';
import type { ClientSettings } from './settings.ts';

/** The operations that return pages of items. */
type Paged = {
  [Id in OperationId]: ReplyOf<Id> extends { items: readonly unknown[]; nextCursor: unknown }
    ? Id
    : never;
}[OperationId];

type ItemOf<Id extends Paged> =
  ReplyOf<Id> extends { items: readonly (infer Item)[] } ? Item : never;

/** Where a program that follows the feed begins. */
export interface FollowOptions {
  /** The stored cursor; absent: what the feed still has, from the oldest. */
  cursor?: string;
  /** Without a cursor: `latest`, or an instant. */
  from?: string;
  /** Only events of this type. */
  type?: string;
  /** Seconds between reads when there is nothing new; the default is 2. */
  everySeconds?: number;
  signal?: AbortSignal;
}

/** New events, oldest first, and the cursor to store once they are dealt with. */
export interface FollowedEvents {
  events: readonly Event[];
  cursor: string;
}

const nothingNew = { items: [], nextCursor: '', hasMore: false } as const;

/** A client of one application. */
export class LatchkeyClient {
  readonly #caller: Caller;

  constructor(settings: ClientSettings) {
    this.#caller = new Caller(settings);
  }

  /**
   * Makes a call and returns its body. A create without an ID gets one. What was lost or refused for the moment is
   * made again where that is safe. Throws `LatchkeyError` with the error of the service, or `NoAnswerError`.
   */
  async call<Id extends OperationId>(
    id: Id,
    ...[input, options]: Record<never, never> extends InputOf<Id>
      ? [InputOf<Id>?, CallOptions?]
      : [InputOf<Id>, CallOptions?]
  ): Promise<ReplyOf<Id>> {
    return (await this.#caller.call(id, (input ?? {}) as AnyInput, options ?? {}))
      .body as ReplyOf<Id>;
  }

  /** The same, with status and headers. */
  async reply<Id extends OperationId>(
    id: Id,
    input: InputOf<Id>,
    options: CallOptions = {},
  ): Promise<Reply<ReplyOf<Id>>> {
    return (await this.#caller.call(id, input as AnyInput, options)) as Reply<ReplyOf<Id>>;
  }

  /**
   * Makes a call of the sandbox on order: a path below `/sandbox/v1`, such as `/faults`. Only the simulation has it, and
   * nothing is repeated.
   */
  async sandbox<Body>(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: `/${string}`,
    body?: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Body> {
    return (await this.#caller.sandbox(method, path, body, options)).body as Body;
  }

  /** Pages from a cursor (in `query` or `body`) to the end. Store `nextCursor` of a page to go on after it. */
  async *pages<Id extends Paged>(
    id: Id,
    input: InputOf<Id>,
    options: CallOptions = {},
  ): AsyncGenerator<ReplyOf<Id>> {
    const first: AnyInput = input;
    const place = first.body ? 'body' : 'query';
    let cursor: string | null | undefined;
    do {
      const given =
        cursor === undefined ? first : { ...first, [place]: { ...first[place], cursor } };
      const page = (await this.#caller.call(id, given, options)).body as ReplyOf<Id> & {
        nextCursor: string | null;
      };
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The items of all pages. */
  async *items<Id extends Paged>(
    id: Id,
    input: InputOf<Id>,
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<Id>> {
    for await (const { items } of this.pages(id, input, options))
      yield* items as readonly ItemOf<Id>[];
  }

  /**
   * Follows the feed until the signal is aborted, through every failure of network and service. Store the cursor
   * together with the work for the events. A cursor whose events are gone ends it with `resync_required`.
   */
  async *follow({
    cursor,
    from,
    type,
    everySeconds = 2,
    signal,
  }: FollowOptions = {}): AsyncGenerator<FollowedEvents> {
    const options = signal ? { signal } : {};
    let query: Record<string, unknown> = cursor === undefined ? { from } : { cursor };
    while (!signal?.aborted) {
      const page = await this.#caller
        .call('reservation.event.list', { query: { ...query, type, limit: 50 } }, options)
        .catch((error: unknown) => {
          if (signal?.aborted || saysNothing(error)) return null;
          throw error;
        });
      const { items, nextCursor, hasMore } = (page?.body ??
        nothingNew) as ReplyOf<'reservation.event.list'>;
      if (items.length > 0) yield { events: items, cursor: nextCursor };
      if (nextCursor !== '') query = { cursor: nextCursor };
      if (!hasMore && !signal?.aborted)
        await this.#caller.sleep(everySeconds * 1000, signal).catch(() => undefined);
    }
  }

  /**
   * Waits until a booking has ended or needs its guest (`requires_action`). It reads as often as the service asks,
   * goes on through every failure of network and service, and never takes `uncertain` for an end. Throws
   * `LatchkeyError` if the booking cannot be read at all, for example when its session has ended.
   */
  async waitForOutcome(
    booking: BookingName,
    { signal, onStatus }: WaitOptions = {},
  ): Promise<BookingStatus> {
    const options = {
      ...(signal && { signal }),
      ...('session' in booking && { session: booking.session }),
    };
    for (;;) {
      signal?.throwIfAborted();
      const status = await this.#read(booking, options).catch((error: unknown) => {
        if (signal?.aborted || !saysNothing(error)) throw error;
        return null;
      });
      if (status) onStatus?.(status);
      if (status && hasEnded(status)) return status;
      await this.#caller.sleep(pollSeconds(status ?? {}) * 1000, signal);
    }
  }

  async #read(booking: BookingName, options: CallOptions): Promise<BookingStatus> {
    const reply =
      'checkoutId' in booking
        ? await this.#caller.call(
            'reservation.checkout.getStatus',
            { params: { checkoutId: booking.checkoutId } },
            options,
          )
        : await this.#caller.call(
            'reservation.reservationRequest.get',
            { params: booking },
            options,
          );
    return reply.body as BookingStatus;
  }
}

/** Makes a client of one application. It keeps one token for all calls, so use one client for all of them. */
export const createClient = (settings: ClientSettings): LatchkeyClient =>
  new LatchkeyClient(settings);
