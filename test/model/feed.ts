/** Compares the event feed with the expected events. */
import type { Event } from '../harness/events.ts';
import type { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import type { Account, AccountName, BookingName } from './world.ts';

/** An event of the model. */
function wordsOf(sessionClients: SessionClients, by: AccountName, { type, data }: Event): string {
  if (type === 'change_request.decided') {
    const { changeRequestId, state } = data as { changeRequestId: string; state: string };
    return `${type} ${sessionClients.nameOf(by, changeRequestId)} ${state}`;
  }
  if (!('checkoutId' in data)) throw new Error(`the model makes no ${type}`);
  const booking = sessionClients.nameOf(by, data.checkoutId);
  const version = 'version' in data ? ` ${data.version}` : '';
  const changes =
    'changes' in data ? ` ${sessionClients.shownChanges(data.changes).join(' ')}` : '';
  return `${type} ${booking} ${data.state}${version}${changes}`;
}

/** Asserts that an event never changes and names its reservation. */
function look(sessionClients: SessionClients, by: AccountName, event: Event): string {
  sessionClients.mustStay(`event ${event.sequence} of ${by}`, event);
  const { data } = event;
  if (!('checkoutId' in data)) return wordsOf(sessionClients, by, event);
  const booking = sessionClients.nameOf(by, data.checkoutId) as BookingName;
  const { reference } = data;
  if (reference !== undefined) sessionClients.learnReference(by, booking, reference);
  return wordsOf(sessionClients, by, event);
}

/** Reads the whole feed in pages of these sizes; throws if a sequence is missing. */
export async function readFeed(
  sessionClients: SessionClients,
  by: AccountName,
  limits: readonly number[],
): Promise<string[]> {
  const events: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const limit = limits[page % limits.length]!;
    const query = { limit, ...(cursor !== undefined && { cursor }) };
    const { items, hasMore, nextCursor } = await sessionClients.partners[by].succeed(
      'reservation.event.list',
      { query },
    );
    if (items.length > limit) throw new Difference(`a page of ${items.length}, not ${limit}`);
    for (const event of items) {
      events.push(look(sessionClients, by, event));
      if (event.sequence === events.length) continue;
      throw new Difference(`${by}'s event ${events.length} has the sequence ${event.sequence}`);
    }
    cursor = nextCursor;
    if (!hasMore) return events;
  }
}

/** The account after this read of its feed; null: the events are not the expected ones. */
export function afterFeed(account: Account, events: readonly string[]): Account | null {
  const isBegun = account.events.every((event, at) => events[at] === event);
  if (!isBegun) return null;
  const unread = structuredClone(account.unread);
  for (const event of events.slice(account.events.length)) {
    const whose = (Object.keys(unread) as BookingName[]).find((name) => unread[name][0] === event);
    if (!whose) return null;
    unread[whose].shift();
  }
  const isComplete = Object.values(unread).every((rest) => rest.length === 0);
  return isComplete ? { ...account, events: [...events], unread } : null;
}
