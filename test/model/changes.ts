/** Requests of partners to cancel or change a reservation, and their decisions. */
import type { ChangeRequest as ChangeOnWire } from '../../src/contract/partner/schemas/change-request.ts';
import type Type from 'typebox';
import type { CallReply } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import type { Kind } from './kind.ts';
import { bookingOf, nobodys } from './bookings.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type ReplySummary,
} from './reply-summary.ts';
import {
  changesOf,
  type Account,
  type AccountName,
  type BookingName,
  type Change,
  type ChangeName,
  type World,
} from './world.ts';

/** Asks for a cancellation, or for a change without effect. */
export interface AskChangeCall {
  does: 'askChange';
  by: AccountName;
  change: ChangeName;
  booking: BookingName;
  /** Whether the reference of the booking is known. */
  isKnown: boolean;
  kind: Change['kind'];
  note: string | null;
}

/** Reads or withdraws a request. */
export interface ChangeCall {
  does: 'readChange' | 'withdrawChange';
  by: AccountName;
  change: ChangeName;
}

/** Lists all requests. */
export interface ListChangesCall {
  does: 'listChanges';
  by: AccountName;
}

const viewOf = (name: ChangeName, { booking, kind, note, state }: Change): object => ({
  change: name,
  booking,
  kind,
  note,
  state,
});

/** Decides an open request, with its event. */
export function decideChange(
  account: Account,
  name: ChangeName,
  change: Change,
  state: 'accepted' | 'declined' | 'withdrawn',
): void {
  change.state = state;
  account.unread[change.booking].push(`change_request.decided ${name} ${state}`);
}

/** The open request for the reservation of a booking. */
export const openChangeOf = (
  account: Account,
  booking: BookingName,
): [ChangeName, Change] | undefined =>
  changesOf(account).find(([, change]) => change.booking === booking && change.state === 'open');

/** What the simulation decides at a read of the request or of its reservation, once it is due. */
export function decideDue(account: Account, booking: BookingName): void {
  const [name, change] = openChangeOf(account, booking) ?? [];
  if (!name || !change?.isDue) return;
  if (change.note === 'decline') return decideChange(account, name, change, 'declined');
  decideChange(account, name, change, 'accepted');
  const { reservation } = bookingOf(account, booking)!;
  reservation!.state = 'cancelled';
  reservation!.announced = null;
  account.unread[booking].push(`reservation.cancelled ${booking} cancelled`);
}

const isSameInput = (change: Change, { booking, kind, note }: AskChangeCall): boolean =>
  change.booking === booking && change.kind === kind && change.note === note;

function predictAsk(world: World, call: AskChangeCall): ReplySummary {
  const { by, change: name, booking, isKnown, kind, note } = call;
  const account = world.accounts[by];
  const reservation = bookingOf(account, booking)?.reservation;
  if (!isKnown || !reservation) return refusedEarly(account, 'write', '404 not_found');
  const existing = account.changes[name];
  if (existing && isSameInput(existing, call)) return shown(200, viewOf(name, existing));
  if (isOverQuota(account, 'write')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (reservation.state !== 'confirmed') return refused('409 conflict not_active');
  if (openChangeOf(account, booking)) return refused('409 conflict open_request');
  if (kind === 'change') return refused('409 conflict no_effect');
  const created: Change = { booking, kind, note, state: 'open', isDue: false };
  account.changes[name] = created;
  return shown(201, viewOf(name, created));
}

type Body = Type.Static<typeof ChangeOnWire>;

/** A request never changes but by its decision. */
function showsChange(sessionClients: SessionClients, by: AccountName, body: Body): object {
  const change = sessionClients.nameOf(by, body.changeRequestId);
  // The test moves its creation back, so that the simulation decides it.
  sessionClients.mustStay(`${by} ${change}, ${body.state}`, { ...body, createdAt: undefined });
  sessionClients.learnChange(by, change as ChangeName, body.reference);
  sessionClients.mustStay(`the preview of ${by} ${change}`, body.preview);
  const { kind, note, state } = body;
  return { change, booking: sessionClients.bookingOf(by, body.reference), kind, note, state };
}

const shows = (
  sessionClients: SessionClients,
  { by }: { by: AccountName },
  { body }: CallReply,
): object => showsChange(sessionClients, by, body as Body);

export const askChangeKind: Kind<AskChangeCall> = {
  operation: 'reservation.change.request',
  tier: 'write',
  predict: predictAsk,
  input(sessionClients, { by, change, booking, isKnown, kind, note }) {
    const known = isKnown ? sessionClients.reference(by, booking) : undefined;
    const { id, headers } = sessionClients.naming(change, 'changeRequestId');
    const body = { ...id, kind, ...(note !== null && { note }) };
    const params = { reference: known ?? nobodys };
    return { params, headers, rawBody: JSON.stringify(body) };
  },
  shows,
};

/** Learned when the request was made: it has the reference in its path. */
function atChange(sessionClients: SessionClients, { by, change }: ChangeCall) {
  const reference = sessionClients.referenceOfChange(by, change) ?? nobodys;
  return { params: { reference, changeRequestId: sessionClients.idOf(by, change) } };
}

const readChangeKind: Kind<ChangeCall> = {
  operation: 'reservation.change.get',
  tier: 'read',
  predict(world, { by, change: name }) {
    const account = world.accounts[by];
    const change = account.changes[name];
    if (!change) return refused('404 not_found');
    decideDue(account, change.booking);
    return shown(200, viewOf(name, change));
  },
  input: atChange,
  shows,
};

const withdrawChangeKind: Kind<ChangeCall> = {
  operation: 'reservation.change.withdraw',
  tier: 'write',
  predict(world, { by, change: name }) {
    const account = world.accounts[by];
    const change = account.changes[name];
    if (!change) return refusedEarly(account, 'write', '404 not_found');
    if (isOverQuota(account, 'write')) return overQuota;
    if (change.state === 'open') decideChange(account, name, change, 'withdrawn');
    if (change.state !== 'withdrawn') return refused('409 invalid_state');
    return shown(200, viewOf(name, change));
  },
  input: atChange,
  shows,
};

/** The kinds of calls on one request. */
export const changeKinds: Record<ChangeCall['does'], Kind<ChangeCall>> = {
  readChange: readChangeKind,
  withdrawChange: withdrawChangeKind,
};

const byName = <Item extends { change: unknown }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (String(a.change) < String(b.change) ? -1 : 1));

export const listChangesKind: Kind<ListChangesCall> = {
  operation: 'reservation.change.list',
  tier: 'read',
  predict(world, { by }) {
    const all = changesOf(world.accounts[by]);
    return shown(200, { items: all.map(([name, change]) => viewOf(name, change)) });
  },
  input: () => ({}),
  shows(sessionClients, { by }, { body }) {
    const { items } = body as { items: Body[] };
    const all = items.map((item) => showsChange(sessionClients, by, item));
    return { items: byName(all as { change: unknown }[]) };
  },
};
