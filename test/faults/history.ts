/** What the clients saw: every call, and what came back or that nothing did. */
import type { OperationId } from '../../src/contract/partner/operations.ts';

/** The state of a booking in a response. */
export interface Seen {
  version: number;
  state: string;
  reference: string | null;
}

/** A call as it went. Times are of `performance.now()`. */
export interface Called {
  applicationId: string;
  operation: OperationId;
  /** The quote, checkout or request that it is about; null: none. */
  resourceId: string | null;
  startedAt: number;
  endedAt: number;
  /** Null: there was no response. */
  response: { status: number; code: string | null; retryAfter: boolean; seen: Seen | null } | null;
}

/** An event as the feed showed it, in the order in which it did. */
export interface FeedEntry {
  sequence: number;
  id: string;
  type: string;
}

/** All that the clients of one run wrote down. */
export class History {
  readonly calls: Called[] = [];
  /** By application. */
  readonly feeds = new Map<string, FeedEntry[]>();
  /** What no good client should meet, in words. */
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
