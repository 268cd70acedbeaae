/** What the clients saw: every call, with its response if there was one. */
import type { OperationId } from '../../src/contract/partner/operations.ts';

/** The state of a booking in a response. */
export interface Seen {
  version: number;
  state: string;
  reference: string | null;
}

/** Why a call got no response, and on which connection. */
export interface NoResponse {
  /** By the clock of this machine. */
  at: number;
  error: string;
  /** How old the connection was, in milliseconds, and whether it had served calls before. Null: there was none. */
  connection: { ageMs: number; isReused: boolean } | null;
}

/** A call. Times are of `performance.now()`. */
export interface Called {
  applicationId: string;
  operation: OperationId;
  /** Its quote, checkout or request; null: none. */
  resourceId: string | null;
  startedAt: number;
  endedAt: number;
  /** Null: there was no response. */
  response: { status: number; code: string | null; retryAfter: boolean; seen: Seen | null } | null;
  /** Only without a response. */
  noResponse?: NoResponse;
}

/** An event in the order of the feed. */
export interface FeedEntry {
  sequence: number;
  id: string;
  type: string;
}

/** Nights of a home. */
export interface Nights {
  listingId: string;
  checkIn: string;
  checkOut: string;
}

/** A reservation as somebody knows it. */
export interface KnownStay extends Nights {
  reference: string;
  version: number;
  state: string;
}

/** A block that staff have added. `unclear`: they do not know whether it was removed. */
export interface KnownBlock extends Nights {
  blockId: string;
  state: 'there' | 'removed' | 'unclear';
}

/** What another channel sells, and the calendar in which it says so. */
export interface Sold {
  calendarId: string;
  listingId: string;
  nights: readonly Pick<Nights, 'checkIn' | 'checkOut'>[];
}

/** What the API shows after a run. */
export interface Shown {
  reservations: Omit<KnownStay, 'version'>[];
  /** The nights of each home that are not available. */
  calendars: { listingId: string; taken: string[] }[];
}

/** The records of all clients of a run, and of staff. */
export class History {
  readonly calls: Called[] = [];
  /** Every acknowledged confirmation, change and cancellation of a reservation. */
  readonly stays: KnownStay[] = [];
  /** References of reservations with a change or cancellation whose result nobody knows. */
  readonly unclear = new Set<string>();
  readonly blocks: KnownBlock[] = [];
  /** What another system has told last of each of its sales; null: it took that back. */
  readonly outside = new Map<string, Nights | null>();
  /** What another channel sells at the end of a run. Null: there is none. */
  sold: Sold | null = null;
  /** Null: the homes of the simulation, whose nights are invented. */
  shown: Shown | null = null;
  /** By application. */
  readonly feeds = new Map<string, FeedEntry[]>();
  /** Descriptions of unexpected behaviour. */
  readonly surprises: string[] = [];

  write(called: Called): void {
    this.calls.push(called);
  }

  feedOf(applicationId: string): FeedEntry[] {
    const feed = this.feeds.get(applicationId) ?? [];
    this.feeds.set(applicationId, feed);
    return feed;
  }
}

const isDone = (status: number): boolean => status >= 200 && status < 300;

/** Whether the call was acknowledged. */
export const isAcknowledged = ({ response }: Called): boolean =>
  response !== null && isDone(response.status);
