/** Intentions of partners: plain data that becomes calls when they are played. */
import * as fc from 'fast-check';
import {
  signalJoins,
  type SignalName as EventName,
} from '../../src/contract/partner/schemas/signal.ts';
import type { PriceChoice } from '../../src/bookings/rules/change-reservation.ts';
import type { Call } from './call-kinds.ts';
import type { CommandCall } from './commands.ts';
import type { SessionClients } from './session-clients.ts';
import { actionsIn } from './checkouts.ts';
import {
  calendarDays,
  catalogNames,
  homeNames,
  newInventory,
  outsideNames,
  quotedParties,
  selling,
  stayNamed,
  stayWords,
  variants,
  type CatalogName,
  type HomeContent,
  type HomeName,
  type OutsideName,
  type PartyWord,
  type StayWords,
  type WantedStay,
} from './homes.ts';
import type { Session, Terms } from './kind.ts';
import type { BlockCall, ChannelCall } from './operator.ts';
import type { ListOutsideCall, OutsideCall, PutOutsideCall } from './outside.ts';
import { bookingOf } from './bookings.ts';
import { simulatedStays } from './stays.ts';
import { suffixes } from './outcomes.ts';
import {
  accountNames,
  changeNames,
  checkoutNames,
  limitedCode,
  plainCode,
  quoteNames,
  requestNames,
  signalNames,
  type Account,
  type AccountName,
  type BookingName,
  type Change,
  type CheckoutName,
  type ModelEnvironment,
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
  | { does: 'removePromo' }
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
  /** The promotion code of a new quote. */
  code: string | null;
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
  /** The promotion code of a new quote. */
  code: string | null;
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
      | 'readChange'
      | 'withdrawChange'
      | 'listChanges'
      | 'search'
      | 'calendar';
  }
>;
type ReservationIntention = Omit<Extract<Call, { does: 'readReservation' }>, 'isKnown'>;

/** Removes one of the blocks and events of channels; if there is none, adds this block. */
interface UnblockIntention extends Omit<BlockCall, 'does'> {
  does: 'unblock';
  which: number;
}

/** Another system tells a stay of nights that something else has. */
interface CoverIntention {
  does: 'coverTaken';
  by: AccountName;
  stay: OutsideName;
  home: HomeName;
  which: number;
}

/** Sells a home in a catalog with this content, or withdraws it. */
interface SellIntention {
  does: 'sell' | 'withdraw';
  by: AccountName;
  catalog: CatalogName;
  home: HomeName;
  change: Partial<HomeContent>;
}

/** Cancels or changes a reservation. */
type StaffIntention =
  | { does: 'cancelStay'; by: AccountName; booking: BookingName }
  | {
      does: 'changeStay';
      by: AccountName;
      booking: BookingName;
      change: Partial<StayWords>;
      price: PriceChoice;
    };

/** Asks for a change of a reservation. A number of nights counts from the arrival that is asked for or known. */
interface AskChangeIntention extends Omit<
  Extract<Call, { does: 'askChange' }>,
  'isKnown' | 'wanted'
> {
  wanted: { from: number | null; nights: number | null; party: PartyWord | null };
}

export type Intention =
  | AskChangeIntention
  | Extract<Call, { does: 'decideChange' }>
  | StaffIntention
  | (BlockCall & { does: 'block' })
  | (ChannelCall & { does: 'channelSells' })
  | PutOutsideCall
  | CoverIntention
  | OutsideCall
  | ListOutsideCall
  | UnblockIntention
  | SellIntention
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

/** The terms of the quote, if they are known and to be sent. */
const termsOf = (
  { by, isWrong }: { by: AccountName; isWrong: boolean },
  quote: QuoteName | undefined,
  sessionClients: SessionClients,
): Terms => (!isWrong && quote && sessionClients.knowsTerms(by, quote) ? quote : 'wrong');

/** A quote whose response was lost is asked for again. */
function quoteAgain({ world, sessionClients }: Situation, by: AccountName): Call | null {
  const quote = unusedQuote(world.accounts[by]);
  if (!quote || sessionClients.knowsTerms(by, quote)) return null;
  const { stay, code } = world.accounts[by].quotes[quote]!;
  return { does: 'quote', by, quote, stay, code };
}

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
  switch (intention.does) {
    case 'saveGuest':
      return { ...on, does: 'saveGuest', suffix: intention.suffix };
    case 'applyPromo':
      return { ...on, does: 'applyPromo', code: intention.code };
    case 'removePromo':
      return { ...on, does: 'removePromo', inHeader: true };
    case 'setupPayment':
      return { ...on, does: 'setupPayment' };
    case 'verifyPayment': {
      const { method, isOldSetup } = intention;
      const attempt = (checkout?.setup?.attempt ?? 0) - (isOldSetup ? 1 : 0);
      const setup = sessionClients.setupReference(by, name, attempt) === undefined ? 0 : attempt;
      return { ...on, does: 'verifyPayment', setup, method };
    }
    case 'submit':
      return { ...on, does: 'submit', terms: termsOf(intention, checkout?.quote, sessionClients) };
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
  situation: Situation,
  { by, checkout: name }: { by: AccountName; checkout: CheckoutName },
  stay: StayName = anyStayOf(situation),
  code: string | null = null,
): Call | null {
  const { world, sessionClients } = situation;
  const account = world.accounts[by];
  const checkout = account.checkouts[name];
  if (checkout) {
    // A call with a lost response is repeated.
    const isLost = sessionClients.capability(by, name) === undefined && checkout.version === 1;
    return isLost ? { does: 'checkout', by, checkout: name, quote: checkout.quote } : null;
  }
  const again = quoteAgain(situation, by);
  if (again) return again;
  const quote = unusedQuote(account);
  if (quote) return { does: 'checkout', by, checkout: name, quote };
  const free = quoteNames.find((one) => account.quotes[one] === null);
  return free ? { does: 'quote', by, quote: free, stay, code } : null;
}

/** The next call; null: only waiting is possible. */
function followCall(situation: Situation, intention: FollowIntention): Call | null {
  const { by, checkout: name, stay, suffix, method, isCareless } = intention;
  const before = callBefore(situation, intention, stay, intention.code);
  if (before) return before;
  const checkout = situation.world.accounts[by].checkouts[name];
  if (!checkout) return null;
  // A client with an older read finds the quote expired.
  const [action = 'poll'] = actionsIn(checkout);
  const does = following[action as keyof typeof following];
  const on = { by, checkout: name, session: 'own', offset: 0, inHeader: false } as const;
  const details = {
    suffix,
    code: plainCode,
    method,
    isOldSetup: isCareless,
    isWrong: isCareless,
  };
  if (does) return commandCall(situation, { ...on, ...details, does });
  const read = action === 'view_confirmation' ? 'readConfirmation' : 'readStatus';
  const session = sessionOf(situation.sessionClients, by, name, 'own');
  return action === 'poll' ? null : { does: read, by, checkout: name, session };
}

function askCall(situation: Situation, intention: AskIntention): Call | null {
  const { world, sessionClients } = situation;
  const { by, request, suffix, partnerReference } = intention;
  const again = intention.quote === 'unused' ? quoteAgain(situation, by) : null;
  if (again) return again;
  const account = world.accounts[by];
  const quote = intention.quote === 'unused' ? unusedQuote(account) : intention.quote;
  const free = quoteNames.find((one) => account.quotes[one] === null);
  if (quote === undefined)
    return free
      ? { does: 'quote', by, quote: free, stay: anyStayOf(situation), code: intention.code }
      : null;
  const terms = termsOf(intention, quote, sessionClients);
  return { does: 'request', by, request, quote, terms, suffix, partnerReference };
}

/** The owner mostly continues with an existing resource. */
const beforehand = (
  situation: Situation,
  intention: { by: AccountName; checkout: CheckoutName; session: Session },
): Call | null => (intention.session === 'own' ? callBefore(situation, intention) : null);

/** Prefers a reservation with a known reference. */
function reserved(
  { sessionClients }: Situation,
  of: AccountName,
  booking: BookingName,
): { booking: BookingName; isKnown: boolean } {
  const isThere = (name: BookingName) => sessionClients.reference(of, name) !== undefined;
  const known = [booking, ...checkoutNames, ...requestNames].find(isThere);
  return { booking: known ?? booking, isKnown: known !== undefined };
}

function staffCall(situation: Situation, intention: StaffIntention): Call {
  const known = accountNames
    .map((by) => ({ by, ...reserved(situation, by, intention.booking) }))
    .toSorted((a, b) => Number(b.by === intention.by) - Number(a.by === intention.by))
    .toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown))[0]!;
  if (intention.does === 'cancelStay') return { does: 'cancelStay', ...known };
  const { reservation } = bookingOf(situation.world.accounts[known.by], known.booking) ?? {};
  const now = stayWords(reservation?.stay ?? anyStayOf(situation));
  const stay = stayNamed({ ...now, ...intention.change });
  return { does: 'changeStay', ...known, stay, price: intention.price };
}

const sameStay: WantedStay = { from: null, to: null, party: null };

/** What is asked for: a cancellation, or dates and a party. */
function asked(
  { world }: Situation,
  { by, kind, wanted: { from, nights, party } }: AskChangeIntention,
  name: BookingName,
): Pick<Change, 'kind' | 'wanted'> {
  if (kind === 'cancel') return { kind, wanted: sameStay };
  const reservation = bookingOf(world.accounts[by], name)?.reservation;
  if (world.inventory) {
    const arrival = from ?? (reservation ? stayWords(reservation.stay).from : 0);
    return { kind, wanted: { from, to: nights === null ? null : arrival + nights, party } };
  }
  // The model does not know which nights of the simulation are free next to a stay.
  const isMoved = !!reservation && (reservation.movedOneDay || reservation.announced !== null);
  return isMoved ? { kind: 'cancel', wanted: sameStay } : { kind, wanted: { ...sameStay, party } };
}

/** Asks for a change of a reservation; without one, a booking goes on. */
function askChangeCall(situation: Situation, intention: AskChangeIntention): Call {
  const { by } = intention;
  const known = reserved(situation, by, intention.booking);
  const ask: Call = { ...intention, ...known, ...asked(situation, intention, known.booking) };
  if (known.isKnown) return ask;
  const stay = anyStayOf(situation);
  const plainBooking = { code: null, suffix: 'none', method: 'pm_any', isCareless: false };
  return (
    followCall(situation, { does: 'follow', by, checkout: 'c1', stay, ...plainBooking }) ?? ask
  );
}

/** A call on a request for a change; if there is none, it is made. */
function withChange(
  situation: Situation,
  intention: Extract<Call, { does: 'readChange' | 'withdrawChange' | 'decideChange' }>,
): Call {
  const { by, change } = intention;
  const { changes } = situation.world.accounts[by];
  if (changes[change] !== null) return intention;
  const wanted = { from: null, nights: null, party: null };
  const ask = { by, change, booking: 'c1', kind: 'cancel', wanted, note: null } as const;
  return askChangeCall(situation, { does: 'askChange', ...ask });
}

function unblockCall({ world }: Situation, intention: UnblockIntention): Call {
  const { which, does: _, ...block } = intention;
  const blocks = world.inventory!.taken.filter(({ by }) => by === 'block' || by === 'channel');
  const chosen = blocks[which % blocks.length];
  if (!chosen) return { ...block, does: 'block' };
  const does = chosen.by === 'block' ? 'unblock' : 'channelFrees';
  return { ...chosen, by: block.by, does };
}

/** An outside stay on nights that something has, and on the night after; without any, on a night of this home. */
function coverCall({ world }: Situation, { by, stay, home, which }: CoverIntention): Call {
  const others = world.inventory!.taken.filter((one) => one.by !== `outside ${stay}`);
  const covered = others[which % others.length] ?? { home, from: 0, nights: 1 };
  const nights = covered.nights + 1;
  return { does: 'putOutside', by, stay, home: covered.home, from: covered.from, nights };
}

/** A call on an outside stay: that of another name, if this one was not told and another was. */
function outsideCall({ world }: Situation, intention: OutsideCall): Call {
  const told = world.inventory!.outside.map(({ stay }) => stay);
  const [first = intention.stay] = told;
  return { ...intention, stay: told.includes(intention.stay) ? intention.stay : first };
}

function sellCall({ world }: Situation, intention: SellIntention): Call {
  const { does, by, catalog, home, change } = intention;
  const { content, sold } = world.inventory!;
  const as = (one: HomeName) => ({ home: one, content: content[one] });
  if (does === 'withdraw') {
    const rest = sold[catalog].filter((one) => one !== home);
    return { does: 'import', by, catalog, homes: rest.map(as), mode: 'replace' };
  }
  const changed = { home, content: { ...content[home], ...change } };
  return { does: 'import', by, catalog, homes: [changed], mode: 'merge' };
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
    case 'removePromo':
    case 'setupPayment':
    case 'verifyPayment':
    case 'submit':
      return beforehand(situation, intention) ?? commandCall(situation, intention);
    case 'unblock':
      return unblockCall(situation, intention);
    case 'coverTaken':
      return coverCall(situation, intention);
    case 'removeOutside':
    case 'readOutside':
      return outsideCall(situation, intention);
    case 'sell':
    case 'withdraw':
      return sellCall(situation, intention);
    case 'askChange':
      return askChangeCall(situation, intention);
    case 'readChange':
    case 'withdrawChange':
    case 'decideChange':
      return withChange(situation, intention);
    case 'readReservation':
      return { ...intention, ...reserved(situation, intention.of, intention.booking) };
    case 'cancelStay':
    case 'changeStay':
      return staffCall(situation, intention);
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
const home = fc.constantFrom<HomeName>('loft', 'loft', 'loft', ...homeNames);
const from = fc.integer({ min: 0, max: 4 });
const someNights = fc.integer({ min: 1, max: 4 });
const party = fc.constantFrom<PartyWord>(...Array<PartyWord>(8).fill('two'), ...quotedParties);

/** A stay of an operator's home: few, so that many overlap. */
export const ownStay: fc.Arbitrary<StayName> = fc
  .record({ home, from, nights: someNights, party })
  .map(stayNamed);

/** Mostly a stay that an application can book at first. */
const bookableStay = (lead: AccountName): fc.Arbitrary<StayName> => {
  const sold = newInventory().sold[selling[lead].catalog];
  const homes = fc.constantFrom<HomeName>('loft', 'loft', ...sold);
  const words = { home: homes, from, nights: someNights, party: fc.constant<PartyWord>('two') };
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(words).map(stayNamed) },
    { weight: 1, arbitrary: ownStay },
  );
};

/** Where a session plays, and the application that gets most of its calls. */
interface Setting {
  environment: ModelEnvironment;
  lead: AccountName;
}

const anyStay = ({ environment, lead }: Setting): fc.Arbitrary<StayName> =>
  environment === 'test'
    ? bookableStay(lead)
    : fc.constantFrom<StayName>('one', 'one', 'one', 'other', ...simulatedStays);

/** Stays that differ in their homes. */
const anyHome = ({ environment }: Setting): fc.Arbitrary<StayName> =>
  environment === 'test' ? ownStay : fc.constantFrom<StayName>('one', 'other', 'nowhere');

const freeStay = ({ environment, lead }: Setting): fc.Arbitrary<StayName> =>
  environment === 'test' ? bookableStay(lead) : fc.constantFrom<StayName>('one', 'other');
const firstStays: Readonly<Record<ModelEnvironment, StayName>> = {
  simulation: 'one',
  test: 'loft 0 2 two',
};

const anyStayOf = ({ world }: Situation): StayName =>
  firstStays[world.inventory ? 'test' : 'simulation'];
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
const code = fc.constantFrom(plainCode, limitedCode, limitedCode, limitedCode, 'ENDED2020', 'NOPE');
const codeOfQuote = fc.constantFrom(
  ...Array<null>(6).fill(null),
  plainCode,
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
    fc.record({ does: fc.constant('removePromo' as const), ...on }),
    fc.record({ does: fc.constant('setupPayment' as const), ...on }),
    fc.record({ does: fc.constant('verifyPayment' as const), ...on, method, isOldSetup: seldom }),
    fc.record({ does: fc.constant('submit' as const), ...on, isWrong: seldom }),
  );
}

const follows = (setting: Setting, by: By, checkout: Which): fc.Arbitrary<FollowIntention> =>
  fc.record({
    does: fc.constant('follow' as const),
    by,
    checkout,
    stay: freeStay(setting),
    code: codeOfQuote,
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
    code: codeOfQuote,
  });

const signals = (
  setting: Setting,
  by: By,
  checkout: Which,
): fc.Arbitrary<Extract<Call, { does: 'signal' }>> =>
  fc.record({
    does: fc.constant('signal' as const),
    by,
    signal: fc.constantFrom(...signalNames),
    name: fc.constantFrom(...(Object.keys(signalJoins) as EventName[])),
    // Different homes.
    stay: anyHome(setting),
    quote,
    checkout,
    session,
    search: fc.constantFrom(null, ...accountNames),
  });

/** Creates and searches outside of the next actions. */
const creates = (setting: Setting, by: By): fc.Arbitrary<Direct> =>
  fc.oneof(
    fc.record({
      does: fc.constant('quote' as const),
      by,
      quote,
      stay: anyStay(setting),
      code: codeOfQuote,
    }),
    fc.record({ does: fc.constant('checkout' as const), by, checkout: anyCheckout, quote }),
    fc.record({
      does: fc.constant('search' as const),
      by,
      isObserved: fc.boolean(),
      stay: setting.environment === 'test' ? anyStay(setting) : fc.constant(null),
    }),
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

/** Other dates and another party, of which the simulation gets the party; seldom nothing, or no night. */
const wantedStays = (environment: ModelEnvironment): fc.Arbitrary<AskChangeIntention['wanted']> => {
  const words: PartyWord[] = environment === 'test' ? [...quotedParties] : ['single', 'crowd'];
  return fc.record({
    from: fc.option(fc.nat({ max: calendarDays - 6 }), { freq: 1 }),
    nights: fc.option(fc.constantFrom(1, 1, 2, 2, 3, 3, 4, 0), { freq: 1 }),
    party: fc.constantFrom<PartyWord | null>(null, 'two', 'two', 'single', ...words),
  });
};

/** What partners ask for their reservations. */
function changeRequests(
  by: By,
  environment: ModelEnvironment,
): fc.Arbitrary<Direct | AskChangeIntention> {
  const change = fc.constantFrom(...changeNames);
  const booking = fc.constantFrom<BookingName>(...checkoutNames, ...requestNames);
  const kind = fc.constantFrom('cancel' as const, 'change' as const);
  const note = fc.constantFrom(null, null, 'decline', 'please');
  const does = fc.constantFrom('readChange' as const, 'withdrawChange' as const);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('askChange' as const),
        by,
        change,
        booking,
        kind,
        wanted: wantedStays(environment),
        note,
      }),
    },
    { weight: 2, arbitrary: fc.record({ does, by, change }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('listChanges' as const), by }) },
  );
}

/** Dates and a party that can be had more often than any. */
const likelyStay: fc.Arbitrary<AskChangeIntention['wanted']> = fc.record({
  from: fc.option(fc.nat({ max: calendarDays - 6 }), { freq: 1 }),
  nights: fc.constantFrom(null, 2, 3, 4),
  party: fc.constantFrom<PartyWord | null>(null, 'two', 'single'),
});

/** A request for another stay of a booking of an operator's home, and what staff and partner do about it. */
const askedAndDecided = (
  by: AccountName,
  booking: CheckoutName,
): fc.Arbitrary<[Intention, Intention, Intention]> =>
  fc
    .record({ change: fc.constantFrom(...changeNames), wanted: likelyStay, accepts: fc.boolean() })
    .chain(({ change, wanted, accepts }) =>
      fc.tuple(
        fc.constant({ does: 'askChange', by, change, booking, kind: 'change', wanted, note: null }),
        fc.constant({ does: 'decideChange', by, change, accepts }),
        changeRequests(fc.constant(by), 'test'),
      ),
    );

/** A booking that is confirmed when nothing is in its way. */
const plainBooking = (
  environment: ModelEnvironment,
  by: AccountName,
  checkout: fc.Arbitrary<CheckoutName>,
): fc.Arbitrary<FollowIntention> =>
  follows({ environment, lead: by }, fc.constant(by), checkout).map((follow) => ({
    ...follow,
    suffix: 'none',
    code: null,
    isCareless: false,
  }));

/** A booking, a request for its change, and what happens to that. */
export function askedChanges(
  environment: ModelEnvironment,
  by: AccountName,
): fc.Arbitrary<{ book: FollowIntention; after: Intention[] }> {
  const anyOfThem = fc.constantFrom(...checkoutNames);
  if (environment === 'test') {
    return anyOfThem.chain((checkout) =>
      fc.record({
        book: plainBooking(environment, by, fc.constant(checkout)),
        after: askedAndDecided(by, checkout),
      }),
    );
  }
  const ask = changeRequests(fc.constant(by), environment);
  return fc.record({
    book: plainBooking(environment, by, anyOfThem),
    // The seeds that npm test plays were chosen with these draws.
    after: fc.tuple(ask, fc.oneof(ask), ask),
  });
}

const again: fc.Arbitrary<AgainIntention> = fc.record({
  does: fc.constant('again' as const),
  back: fc.nat({ max: 12 }),
});

const content = (most: number) => fc.nat({ max: most - 1 });

// Mostly a home and nights that can be sold.
const outsideHome = fc.oneof({ weight: 12, arbitrary: home }, fc.constant('nowhere' as const));
const outsideNights = fc.oneof({ weight: 5, arbitrary: someNights }, fc.constantFrom(0, 731));

/** What another system tells of the stays that it has sold. */
const outsideActs: fc.Arbitrary<PutOutsideCall | CoverIntention | OutsideCall | ListOutsideCall> =
  (() => {
    const by = fc.constant<AccountName>('card');
    const stay = fc.constantFrom(...outsideNames);
    const does = fc.constantFrom('removeOutside' as const, 'readOutside' as const);
    return fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          does: fc.constant('putOutside' as const),
          by,
          stay,
          home: outsideHome,
          from,
          nights: outsideNights,
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          does: fc.constant('coverTaken' as const),
          by,
          stay,
          home,
          which: fc.nat({ max: 9 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ does, by, stay }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('listOutside' as const), by }) },
    );
  })();

/** Acts of the operator, and reads of what they change. */
function acts(by: By): fc.Arbitrary<Intention> {
  const operator = fc.constant<AccountName>('card');
  const nights = { by: operator, home, from, nights: someNights };
  const changes = fc.oneof(
    fc.record({ rates: content(variants.rates) }),
    fc.record({ rules: content(variants.rules) }),
    fc.record({ terms: content(variants.terms) }),
    fc.constant({ rules: 0 }),
    // Preparation, with gaps and without.
    fc.record({ rules: fc.constantFrom(3, 4) }),
  );
  const booking = fc.constantFrom<BookingName>(...checkoutNames, ...requestNames);
  const anyDay = fc.nat({ max: calendarDays - 4 });
  const otherParty = fc.constantFrom(...quotedParties);
  const change = fc.oneof(
    fc.record({ from: anyDay }),
    fc.record({ from: anyDay, nights: someNights }),
    fc.record({ nights: someNights }),
    fc.record({ party: otherParty }),
    fc.record({ home }),
    fc.record({ home, from: anyDay, party: otherParty }),
    // Only the price.
    fc.constant({}),
  );
  const price = fc.constantFrom<PriceChoice>('keep', 'recalculate');
  const at = { by: operator, catalog: fc.constantFrom(...catalogNames), home };
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('calendar' as const), by, home }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('block' as const), ...nights }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('channelSells' as const), ...nights }) },
    { weight: 5, arbitrary: outsideActs },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('unblock' as const), ...nights, which: fc.nat(9) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('changeStay' as const),
        by,
        booking,
        change,
        price,
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('cancelStay' as const), by, booking }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('decideChange' as const),
        by,
        change: fc.constantFrom(...changeNames),
        accepts: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('sell' as const), ...at, change: changes }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant('withdraw' as const), ...at, change: changes }),
    },
  );
}

/** The next actions of any checkout, at the operator's homes. */
export const bookingsOf = (lead: AccountName): fc.Arbitrary<FollowIntention> =>
  follows(
    { environment: 'test', lead },
    fc.constantFrom<AccountName>(lead, lead, 'partner', 'thrifty'),
    fc.constantFrom(...checkoutNames),
  );

/** Any intention; mostly a next action, and mostly of one partner. */
export function intentionsOf(setting: Setting): fc.Arbitrary<Intention> {
  const { environment, lead } = setting;
  const isOwn = environment === 'test';
  const by = fc.constantFrom(...Array<AccountName>(5).fill(lead), ...accountNames);
  const asking = lead === 'card' ? fc.constantFrom<AccountName>('partner', 'card') : by;
  return fc.oneof(
    { weight: 16, arbitrary: follows(setting, by, anyCheckout) },
    { weight: 9, arbitrary: commands(by, anyCheckout) },
    { weight: lead === 'card' ? 1 : 5, arbitrary: asks(asking) },
    { weight: 4, arbitrary: again },
    { weight: 4, arbitrary: creates(setting, by) },
    { weight: 5, arbitrary: reads(by) },
    { weight: 4, arbitrary: changeRequests(by, environment) },
    { weight: 3, arbitrary: signals(setting, by, anyCheckout) },
    { weight: isOwn ? 16 : 0, arbitrary: acts(by) },
  );
}

/** Intentions of several servers of a partner for one checkout. */
export function rivalsOf(setting: Setting): fc.Arbitrary<Intention> {
  const { environment, lead } = setting;
  const by = fc.constant(lead);
  const checkout = fc.constant<CheckoutName>('c1');
  return fc.oneof(
    { weight: 3, arbitrary: follows(setting, by, checkout) },
    { weight: 3, arbitrary: commands(by, checkout) },
    { weight: 1, arbitrary: signals(setting, by, checkout) },
    { weight: environment === 'test' ? 2 : 0, arbitrary: acts(by) },
  );
}
