/** Requests of partners to cancel or change a reservation, and their decisions. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ChangePreview,
  ChangeRequest as ChangeOnWire,
} from '../../src/contract/partner/schemas/change-request.ts';
import type Type from 'typebox';
import type { CallReply } from '../harness/partner.ts';
import type { SessionClients } from './session-clients.ts';
import type { Kind, TwoSteps } from './kind.ts';
import { bookingOf, nobodys } from './bookings.ts';
import { changedCharges, stayAfter, withoutStay } from './changed-stays.ts';
import {
  dateAt,
  dayAt,
  isBookable,
  isSold,
  parties,
  ruleRefusal,
  stayWords,
  type PartyWord,
  type WantedStay,
} from './homes.ts';
import {
  isOverQuota,
  overQuota,
  refused,
  refusedEarly,
  shown,
  type Refused,
  type ReplySummary,
} from './reply-summary.ts';
import {
  changesOf,
  type Account,
  type AccountName,
  type BookingName,
  type Change,
  type ChangeName,
  type Reservation,
  type StayName,
  type World,
} from './world.ts';

/** Asks for a cancellation, or for other dates or another party. */
export interface AskChangeCall {
  does: 'askChange';
  by: AccountName;
  change: ChangeName;
  booking: BookingName;
  /** Whether the reference of the booking is known. */
  isKnown: boolean;
  kind: Change['kind'];
  wanted: WantedStay;
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

const viewOf = (name: ChangeName, { isDue: _, ...change }: Change): object => ({
  change: name,
  ...change,
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
  const reservation = bookingOf(account, booking)!.reservation!;
  if (change.kind === 'change') {
    reservation.stay = stayAfter(null, reservation.stay, change.wanted);
    account.unread[booking].push(`reservation.changed ${booking} confirmed party`);
    return;
  }
  reservation.state = 'cancelled';
  reservation.announced = null;
  account.unread[booking].push(`reservation.cancelled ${booking} cancelled`);
}

const isSameInput = (change: Change, call: AskChangeCall): boolean =>
  (['booking', 'kind', 'note'] as const).every((member) => change[member] === call[member]) &&
  JSON.stringify(change.wanted) === JSON.stringify(call.wanted);

/** What a change of a stay would cost, or why it cannot be booked. */
function previewOf(
  { inventory }: World,
  { by, booking: name }: AskChangeCall,
  { reservation, code }: { reservation: Reservation; code: string | null },
  stay: StayName,
): ChangePreview | Refused {
  const words = stayWords(stay);
  if (!isSold(inventory!, by, words.home)) return '404 not_found';
  if (words.nights < 1) return '400 invalid_input';
  const others = withoutStay(inventory!, by, name);
  const reason = ruleRefusal(others, words);
  if (reason !== null) return `422 policy_restricted ${reason}`;
  const to = { stay, price: 'recalculate', code } as const;
  const charges = changedCharges(others, by, reservation, to);
  if (!charges) return '422 policy_restricted not_priced';
  if (!isBookable(others, words)) return '409 conflict unavailable';
  const { currency, total } = charges;
  return { currency, total, difference: total - reservation.charges!.total, refund: null };
}

/** Decides a new request on what is sold, priced and free now. */
function decisionOn(world: World, call: AskChangeCall): Change | Refused {
  const { by, booking: name, kind, wanted, note } = call;
  const account = world.accounts[by];
  const { reservation, code } = bookingOf(account, name)!;
  const { state, stay, charges, refund } = reservation!;
  if (state !== 'confirmed') return '409 conflict not_active';
  if (openChangeOf(account, name)) return '409 conflict open_request';
  const asked = { booking: name, kind, wanted, note, state: 'open', isDue: false } as const;
  if (kind === 'cancel') {
    const { currency } = charges ?? {};
    const preview = currency ? { currency, total: null, difference: null, refund } : null;
    return { ...asked, preview };
  }
  const after = stayAfter(world.inventory, stay, wanted);
  if (after === stay) return '409 conflict no_effect';
  if (!world.inventory) {
    const isCrowd = wanted.party === 'crowd';
    return isCrowd ? '422 policy_restricted too_many_guests' : { ...asked, preview: null };
  }
  const preview = previewOf(world, call, { reservation: reservation!, code }, after);
  return typeof preview === 'string' ? preview : { ...asked, preview };
}

const isReserved = (account: Account, { booking, isKnown }: AskChangeCall): boolean =>
  isKnown && !!bookingOf(account, booking)?.reservation;

/** The response of a create for a known reservation, with what was decided about a new request. */
function create(world: World, call: AskChangeCall, decided: Change | Refused): ReplySummary {
  const { by, change: name } = call;
  const account = world.accounts[by];
  const existing = account.changes[name];
  if (existing && isSameInput(existing, call)) return shown(200, viewOf(name, existing));
  if (isOverQuota(account, 'write')) return overQuota;
  if (existing) return refused('409 conflict different_input');
  if (typeof decided === 'string') return refused(decided);
  account.changes[name] = decided;
  return shown(201, viewOf(name, decided));
}

function predictAsk(world: World, call: AskChangeCall): ReplySummary {
  const account = world.accounts[call.by];
  if (!isReserved(account, call)) return refusedEarly(account, 'write', '404 not_found');
  return create(world, call, decisionOn(world, call));
}

/** Of equal creates at once, one can be refused because something has changed since another was decided. */
const inTwoSteps: TwoSteps<AskChangeCall> = {
  idOf: ({ by, change }) => `${by} ${change}`,
  decide(world, call) {
    const account = world.accounts[call.by];
    if (account.changes[call.change] || !isReserved(account, call)) return false;
    const decided = decisionOn(world, call);
    if (typeof decided === 'string') return false;
    account.decidedChanges[call.change] = decided;
    return true;
  },
  write(world, call) {
    const account = world.accounts[call.by];
    const decided = account.decidedChanges[call.change];
    // What has changed or holds the reservation since is seen when it is written.
    if (!decided || !isSameInput(decided, call) || openChangeOf(account, call.booking)) return null;
    delete account.decidedChanges[call.change];
    return create(world, call, decided);
  },
};

type Body = Type.Static<typeof ChangeOnWire>;

const partyNames = Object.keys(parties) as PartyWord[];

const wantedOf = ({
  checkIn,
  checkOut,
  party,
}: Pick<Body, 'checkIn' | 'checkOut' | 'party'>): WantedStay => ({
  from: checkIn === null ? null : dayAt(checkIn),
  to: checkOut === null ? null : dayAt(checkOut),
  party: party && (partyNames.find((name) => isDeepStrictEqual(parties[name], party)) ?? null),
});

/** A request never changes but by its decision. */
function showsChange(sessionClients: SessionClients, by: AccountName, body: Body): object {
  const change = sessionClients.nameOf(by, body.changeRequestId);
  // The test moves its creation back, so that the simulation decides it.
  sessionClients.mustStay(`${by} ${change}, ${body.state}`, { ...body, createdAt: undefined });
  sessionClients.learnChange(by, change as ChangeName, body.reference);
  sessionClients.mustStay(`the preview of ${by} ${change}`, body.preview);
  const { kind, note, state, preview } = body;
  return {
    change,
    booking: sessionClients.bookingOf(by, body.reference),
    kind,
    wanted: wantedOf(body),
    note,
    state,
    preview: sessionClients.shownPreview(preview),
  };
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
  input(sessionClients, { by, change, booking, isKnown, kind, wanted, note }) {
    const known = isKnown ? sessionClients.reference(by, booking) : undefined;
    const { id, headers } = sessionClients.naming(change, 'changeRequestId');
    const body = {
      ...id,
      kind,
      ...(wanted.from !== null && { checkIn: dateAt(wanted.from) }),
      ...(wanted.to !== null && { checkOut: dateAt(wanted.to) }),
      ...(wanted.party && { party: parties[wanted.party] }),
      ...(note !== null && { note }),
    };
    const params = { reference: known ?? nobodys };
    return { params, headers, rawBody: JSON.stringify(body) };
  },
  shows,
  inTwoSteps,
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
