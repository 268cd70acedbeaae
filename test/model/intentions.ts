/** Intentions of partners: plain data that becomes calls when they are played. */
import * as fc from 'fast-check';
import {
  signalJoins,
  type SignalName as EventName,
} from '../../src/contract/partner/schemas/signal.ts';
import type { Call } from './calls.ts';
import type { CommandCall } from './commands.ts';
import type { SessionClients } from './session-clients.ts';
import { actionsIn } from './checkouts.ts';
import type { Session } from './kind.ts';
import { suffixes } from './outcomes.ts';
import {
  accountNames,
  checkoutNames,
  limitedCode,
  quoteNames,
  requestNames,
  signalNames,
  stayNames,
  type Account,
  type AccountName,
  type BookingName,
  type CheckoutName,
  type QuoteName,
  type StayName,
  type World,
} from './world.ts';

/** A number that is added to the version last read. */
type Offset = number;

/** A command, before the version is known. */
export type CommandIntention = {
  by: AccountName;
  checkout: CheckoutName;
  session: Session;
  offset: Offset;
  inHeader: boolean;
} & (
  | { does: 'saveGuest'; suffix: string }
  | { does: 'applyPromo'; code: string }
  | { does: 'setupPayment' }
  | { does: 'verifyPayment'; method: string; isOldSetup: boolean }
  | { does: 'submit'; isWrong: boolean }
);

/** The next action of a checkout, starting with its quote. */
export interface FollowIntention {
  does: 'follow';
  by: AccountName;
  checkout: CheckoutName;
  stay: StayName;
  suffix: string;
  method: string;
  /** With an old setup, or the wrong terms. */
  isCareless: boolean;
}

/** A request for an existing quote. */
export interface AskIntention {
  does: 'ask';
  by: AccountName;
  request: (typeof requestNames)[number];
  quote: QuoteName | 'unused';
  isWrong: boolean;
  suffix: string;
  partnerReference: string | null;
}

/** A repeat of an earlier call. */
export interface AgainIntention {
  does: 'again';
  back: number;
}

type Direct = Extract<
  Call,
  {
    does:
      | 'quote'
      | 'checkout'
      | 'read'
      | 'readStatus'
      | 'readConfirmation'
      | 'readRequest'
      | 'listRequests'
      | 'signal'
      | 'search';
  }
>;
type ReservationIntention = Omit<Extract<Call, { does: 'readReservation' }>, 'isKnown'>;

export type Intention =
  | Direct
  | ReservationIntention
  | CommandIntention
  | FollowIntention
  | AskIntention
  | AgainIntention;

/** The data that turns an intention into a call. */
export interface Situation {
  world: World;
  sessionClients: SessionClients;
  sent: readonly Call[];
}

/** A capability can be sent only after it was returned. */
const sessionOf = (
  sessionClients: SessionClients,
  by: AccountName,
  checkout: CheckoutName,
  session: Session,
): Session =>
  session === 'own' && sessionClients.capability(by, checkout) === undefined ? 'none' : session;

const unusedQuote = ({ quotes }: Account): QuoteName | undefined =>
  quoteNames.find((name) => quotes[name] && !quotes[name].used && !quotes[name].expired);

function commandCall(
  { world, sessionClients }: Situation,
  intention: CommandIntention,
): CommandCall {
  const { by, checkout: name, offset, inHeader } = intention;
  const account = world.accounts[by];
  const checkout = account.checkouts[name];
  const session = sessionOf(sessionClients, by, name, intention.session);
  const version = Math.max(1, (checkout?.version ?? 1) + offset);
  const on = { by, checkout: name, session, version, inHeader };
  const stay = checkout ? account.quotes[checkout.quote]!.stay : 'one';
  switch (intention.does) {
    case 'saveGuest':
      return { ...on, does: 'saveGuest', suffix: intention.suffix };
    case 'applyPromo':
      return { ...on, does: 'applyPromo', code: intention.code };
    case 'setupPayment':
      return { ...on, does: 'setupPayment' };
    case 'verifyPayment': {
      const { method, isOldSetup } = intention;
      const attempt = (checkout?.setup?.attempt ?? 0) - (isOldSetup ? 1 : 0);
      const setup = sessionClients.setupReference(by, name, attempt) === undefined ? 0 : attempt;
      return { ...on, does: 'verifyPayment', setup, method };
    }
    case 'submit':
      return { ...on, does: 'submit', terms: intention.isWrong ? 'wrong' : stay };
  }
}

const following = {
  save_guest: 'saveGuest',
  setup_payment: 'setupPayment',
  verify_payment: 'verifyPayment',
  submit: 'submit',
} as const;

/** The call that must come before the next action of a checkout; null: none. */
function callBefore(
  { world, sessionClients }: Situation,
  { by, checkout: name }: { by: AccountName; checkout: CheckoutName },
  stay: StayName = 'one',
): Call | null {
  const account = world.accounts[by];
  const checkout = account.checkouts[name];
  if (checkout) {
    // A call with a lost response is repeated.
    const isLost = sessionClients.capability(by, name) === undefined && checkout.version === 1;
    return isLost ? { does: 'checkout', by, checkout: name, quote: checkout.quote } : null;
  }
  const quote = unusedQuote(account);
  if (quote) return { does: 'checkout', by, checkout: name, quote };
  const free = quoteNames.find((one) => account.quotes[one] === null);
  return free ? { does: 'quote', by, quote: free, stay } : null;
}

/** The next call; null: only waiting is possible. */
function followCall(situation: Situation, intention: FollowIntention): Call | null {
  const { by, checkout: name, stay, suffix, method, isCareless } = intention;
  const before = callBefore(situation, intention, stay);
  if (before) return before;
  const checkout = situation.world.accounts[by].checkouts[name];
  if (!checkout) return null;
  // A client with an older read finds the quote expired.
  const [action = 'poll'] = actionsIn(checkout);
  const does = following[action as keyof typeof following];
  const on = { by, checkout: name, session: 'own', offset: 0, inHeader: false } as const;
  const details = {
    suffix,
    code: 'WELCOME10',
    method,
    isOldSetup: isCareless,
    isWrong: isCareless,
  };
  if (does) return commandCall(situation, { ...on, ...details, does });
  const read = action === 'view_confirmation' ? 'readConfirmation' : 'readStatus';
  const session = sessionOf(situation.sessionClients, by, name, 'own');
  return action === 'poll' ? null : { does: read, by, checkout: name, session };
}

function askCall({ world }: Situation, intention: AskIntention): Call | null {
  const { by, request, suffix, partnerReference, isWrong } = intention;
  const account = world.accounts[by];
  const quote = intention.quote === 'unused' ? unusedQuote(account) : intention.quote;
  const free = quoteNames.find((one) => account.quotes[one] === null);
  if (quote === undefined) return free ? { does: 'quote', by, quote: free, stay: 'one' } : null;
  const stay = account.quotes[quote]?.stay ?? 'one';
  const terms = isWrong ? 'wrong' : stay;
  return { does: 'request', by, request, quote, terms, suffix, partnerReference };
}

/** The owner mostly continues with an existing resource. */
const beforehand = (
  situation: Situation,
  intention: { by: AccountName; checkout: CheckoutName; session: Session },
): Call | null => (intention.session === 'own' ? callBefore(situation, intention) : null);

/** Prefers a reservation with a known reference. */
function reservationCall(
  { sessionClients }: Situation,
  { by, of, booking }: ReservationIntention,
): Call {
  const isThere = (name: BookingName) => sessionClients.reference(of, name) !== undefined;
  const known = [booking, ...checkoutNames, ...requestNames].find(isThere);
  return {
    does: 'readReservation',
    by,
    of,
    booking: known ?? booking,
    isKnown: known !== undefined,
  };
}

/** The call that implements an intention now; null: none. */
export function callOf(situation: Situation, intention: Intention): Call | null {
  const { sessionClients, sent } = situation;
  switch (intention.does) {
    case 'again':
      return sent.at(-1 - intention.back) ?? null;
    case 'follow':
      return followCall(situation, intention);
    case 'ask':
      return askCall(situation, intention);
    case 'saveGuest':
    case 'applyPromo':
    case 'setupPayment':
    case 'verifyPayment':
    case 'submit':
      return beforehand(situation, intention) ?? commandCall(situation, intention);
    case 'readReservation':
      return reservationCall(situation, intention);
    case 'read':
    case 'readStatus':
    case 'readConfirmation': {
      const { by, checkout, session } = intention;
      const call = { ...intention, session: sessionOf(sessionClients, by, checkout, session) };
      return beforehand(situation, intention) ?? call;
    }
    case 'signal': {
      const { by, checkout, search } = intention;
      const session = sessionOf(sessionClients, by, checkout, intention.session);
      const isSearched = search !== null && sessionClients.observation(search) !== undefined;
      return { ...intention, session, search: isSearched ? search : null };
    }
    default:
      return intention;
  }
}

const anyCheckout = fc.constantFrom<CheckoutName>('c1', 'c1', 'c1', ...checkoutNames);
const quote = fc.constantFrom(...quoteNames);
const stay = fc.constantFrom<StayName>('one', 'one', 'one', 'other', ...stayNames);
const suffix = fc.constantFrom('none', 'none', 'none', ...suffixes);
const session = fc.constantFrom<Session>(...Array<Session>(10).fill('own'), 'none', 'wrong');
// Mostly the last read version, sometimes one more or less.
const offset = fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1);
const method = fc.constantFrom(
  'pm_any',
  'pm_any',
  'pm_other',
  'pm_simulated_requires_action',
  'pm_simulated_declined',
);
const code = fc.constantFrom(
  'WELCOME10',
  limitedCode,
  limitedCode,
  limitedCode,
  'ENDED2020',
  'NOPE',
);
const seldom = fc.constantFrom(false, false, false, false, true);
const partnerReference = fc.constantFrom(null, 'order 1', 'order 1', 'order 2');
const request = fc.constantFrom(...requestNames);

type By = fc.Arbitrary<AccountName>;
type Which = fc.Arbitrary<CheckoutName>;

function commands(by: By, checkout: Which): fc.Arbitrary<CommandIntention> {
  const inHeader = fc.constantFrom(false, false, true);
  const on = { by, checkout, session, offset, inHeader };
  return fc.oneof(
    fc.record({ does: fc.constant('saveGuest' as const), ...on, suffix }),
    fc.record({ does: fc.constant('applyPromo' as const), ...on, code }),
    fc.record({ does: fc.constant('setupPayment' as const), ...on }),
    fc.record({ does: fc.constant('verifyPayment' as const), ...on, method, isOldSetup: seldom }),
    fc.record({ does: fc.constant('submit' as const), ...on, isWrong: seldom }),
  );
}

const follows = (by: By, checkout: Which): fc.Arbitrary<FollowIntention> =>
  fc.record({
    does: fc.constant('follow' as const),
    by,
    checkout,
    stay: fc.constantFrom<StayName>('one', 'other'),
    suffix,
    method,
    isCareless: seldom,
  });

const asks = (by: By): fc.Arbitrary<AskIntention> =>
  fc.record({
    does: fc.constant('ask' as const),
    by,
    request,
    quote: fc.constantFrom<QuoteName | 'unused'>('unused', 'unused', 'unused', ...quoteNames),
    isWrong: seldom,
    suffix,
    partnerReference,
  });

const signals = (by: By, checkout: Which): fc.Arbitrary<Extract<Call, { does: 'signal' }>> =>
  fc.record({
    does: fc.constant('signal' as const),
    by,
    signal: fc.constantFrom(...signalNames),
    name: fc.constantFrom(...(Object.keys(signalJoins) as EventName[])),
    // Two different homes.
    stay: fc.constantFrom<StayName>('one', 'other', 'nowhere'),
    quote,
    checkout,
    session,
    search: fc.constantFrom(null, ...accountNames),
  });

/** Creates and searches outside of the next actions. */
const creates = (by: By): fc.Arbitrary<Direct> =>
  fc.oneof(
    fc.record({ does: fc.constant('quote' as const), by, quote, stay }),
    fc.record({ does: fc.constant('checkout' as const), by, checkout: anyCheckout, quote }),
    fc.record({ does: fc.constant('search' as const), by, isObserved: fc.boolean() }),
  );

function reads(by: By): fc.Arbitrary<Direct | ReservationIntention> {
  const does = fc.constantFrom('read' as const, 'readStatus' as const, 'readConfirmation' as const);
  const booking = fc.constantFrom<BookingName>(...checkoutNames, ...requestNames);
  return fc.oneof(
    fc.record({ does, by, checkout: anyCheckout, session }),
    fc.record({ does: fc.constant('readReservation' as const), by, of: by, booking }),
    fc.record({ does: fc.constant('readRequest' as const), by, request }),
    fc.record({ does: fc.constant('listRequests' as const), by, partnerReference }),
  );
}

const again: fc.Arbitrary<AgainIntention> = fc.record({
  does: fc.constant('again' as const),
  back: fc.nat({ max: 12 }),
});

/** Any intention; mostly a next action, and mostly of one partner. */
export function intentionsOf(lead: AccountName): fc.Arbitrary<Intention> {
  const by = fc.constantFrom(...Array<AccountName>(5).fill(lead), ...accountNames);
  const asking = lead === 'card' ? fc.constantFrom<AccountName>('partner', 'card') : by;
  return fc.oneof(
    { weight: 16, arbitrary: follows(by, anyCheckout) },
    { weight: 9, arbitrary: commands(by, anyCheckout) },
    { weight: lead === 'card' ? 1 : 5, arbitrary: asks(asking) },
    { weight: 4, arbitrary: again },
    { weight: 4, arbitrary: creates(by) },
    { weight: 5, arbitrary: reads(by) },
    { weight: 3, arbitrary: signals(by, anyCheckout) },
  );
}

/** Intentions of several servers of a partner for one checkout. */
export function rivalsOf(lead: AccountName): fc.Arbitrary<Intention> {
  const by = fc.constant(lead);
  const checkout = fc.constant<CheckoutName>('c1');
  return fc.oneof(
    { weight: 3, arbitrary: follows(by, checkout) },
    { weight: 3, arbitrary: commands(by, checkout) },
    { weight: 1, arbitrary: signals(by, checkout) },
  );
}
