import { cutPage, type Page, positionAt, positionText } from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import { type InvalidField, refuse, type Refusal } from '../../contract/errors.ts';
import type { FeedChange, FeedPart, ReadChanges } from '../store/change-feed.ts';

/** A page of a feed of changes. */
export interface ChangePage {
  items: FeedChange[];
  nextCursor: string;
  hasMore: boolean;
}

/** What is wrong with the start that a reader asks for. */
export const startFields = (from: unknown, cursor: unknown): InvalidField[] =>
  from !== undefined && cursor !== undefined
    ? [{ path: 'query/from', message: 'must not be sent together with cursor' }]
    : [];

type Position = Pick<FeedChange, 'sequence' | 'mark'>;

const positionOf = (text: string): Position => {
  const [sequence, mark] = positionAt(text);
  return { sequence, mark };
};

const consecutive = (changes: readonly FeedChange[], after: number): boolean =>
  changes.every(({ sequence }, at) => sequence === after + 1 + at);

/** The entries after a position; null: some are missing, or this is not the feed in which it was issued. */
function entriesAfter(
  { last, changes }: FeedPart,
  position: Position | null,
): readonly FeedChange[] | null {
  if (position === null) {
    const first = changes[0]?.sequence ?? 1;
    return consecutive(changes, first - 1) ? changes : null;
  }
  const { sequence, mark } = position;
  if (sequence > last) return null;
  const [own] = changes;
  const isThere = own?.sequence === sequence;
  if (isThere && mark !== '' && own.mark !== mark) return null;
  const entries = isThere ? changes.slice(1) : changes;
  if (sequence < last && entries.length === 0) return null;
  return consecutive(entries, sequence) ? entries : null;
}

async function endOf(read: ReadChanges, page: Page): Promise<ChangePage> {
  const { last } = await read(Number.MAX_SAFE_INTEGER, 1, limits.eventFeedDays);
  const { changes } = await read(last, 1, limits.eventFeedDays);
  const mark = changes.find(({ sequence }) => sequence === last)?.mark ?? '';
  return { items: [], nextCursor: page.cursorAt(positionText(last, mark)), hasMore: false };
}

/** Reads a page of a feed of changes. Spec: COPY-1, COPY-5. */
export async function changePage(
  read: ReadChanges,
  page: Page,
  from: 'latest' | undefined,
): Promise<ChangePage | Refusal<'resync_required'>> {
  if (from === 'latest') return endOf(read, page);
  const position = page.after === null ? null : positionOf(page.after);
  // The entry of the position, the page, and one more that says whether there is another page.
  const part = await read(position?.sequence ?? 0, page.size + 2, limits.eventFeedDays);
  const entries = entriesAfter(part, position);
  if (entries === null) return refuse('resync_required');
  const { items } = cutPage(entries, page.size);
  const end = items.at(-1) ?? position ?? { sequence: part.last, mark: '' };
  return {
    items,
    nextCursor: page.cursorAt(positionText(end.sequence, end.mark)),
    hasMore: end.sequence < part.last,
  };
}
