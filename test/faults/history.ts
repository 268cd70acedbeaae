/** What the clients saw: every call, with its response if there was one. */
import type { OperationId } from '../../src/contract/partner/operations.ts';

/** The state of a booking in a response. */
export interface Seen {
  version: number;
  state: string;
  reference: string | null;
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
}

/** An event in the order of the feed. */
export interface FeedEntry {
  sequence: number;
  id: string;
  type: string;
}

/** The records of all clients of a run. */
export class History {
  readonly calls: Called[] = [];
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
