/** Polls the feed of an application page by page. */
import { Surprise, type CarefulClient } from './careful-client.ts';
import type { FeedEntry } from './history.ts';

/** Reads all events after a cursor and returns the next cursor. */
export async function readFeedOn(
  client: CarefulClient,
  feed: FeedEntry[],
  after: string | undefined,
): Promise<string | undefined> {
  let cursor = after;
  try {
    for (let more = true; more;) {
      const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
      const page = await client.succeed('reservation.event.list', { query });
      for (const { sequence, id, type } of page.items) feed.push({ sequence, id, type });
      cursor = page.nextCursor;
      more = page.hasMore;
    }
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
  }
  return cursor;
}
