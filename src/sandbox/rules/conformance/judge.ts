/** Judges what a program did in a scenario. Pure: the same facts, the same findings. Spec: SANDBOX-4. */
import { checkoutStates, requestStates } from '../../../contract/states.ts';
import type { BookInput, Outcome } from '../../../contract/sandbox/conformance.ts';
import {
  type Ending,
  scenarioFacts,
  type ScenarioId,
} from '../../../contract/sandbox/scenarios.ts';
import { plans } from './plays.ts';
import {
  type Calls,
  callsAfter,
  idsOf,
  isCreate,
  isExchange,
  isOfSearchTier,
  isQuote,
  isRead,
  isReadOf,
  isSame,
  isSearch,
  isSetup,
  isSite,
  isSubmission,
  type SeenCall,
} from './seen.ts';

/** A reservation that was made during the scenario. */
export interface MadeReservation {
  reference: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  total: number;
  currency: string;
}

/** An event that a scenario has sent, or held back. */
export interface PlayedEvent {
  eventId: string;
  /** Whether it exists. A forged one must not be acted on. */
  isReal: boolean;
  /** The answers of the endpoint; null: it did not answer. Empty: it was not delivered. */
  answers: readonly (number | null)[];
}

/** A reservation as it is now. */
export interface KnownReservation {
  state: string;
  checkIn: string;
  checkOut: string;
}

/** What the program said; `nothing`: it has not said anything in time. */
export type Said = Omit<Outcome, 'ended'> & { ended: Ending };

/** All that a judge knows. */
export interface Facts {
  /** In order. */
  calls: Calls;
  said: Said;
  /** Of a task that books; null: of another one. */
  book: BookInput | null;
  reservations: readonly MadeReservation[];
  /** The homes of the catalog. */
  listings: readonly string[];
  events: readonly PlayedEvent[];
  /** The reservations to know, by their references. */
  known: Readonly<Record<string, KnownReservation>>;
  /** Of a task that follows: the outcome was said before everything was played. */
  isEarly: boolean;
}

/** A rule of the scenario that was not kept, by its place in the list. */
export interface Broken {
  rule: number;
  message: string;
  calls?: Calls;
}

type Judge = (facts: Facts) => Broken[];

/** How a scenario is judged. */
interface Judging {
  awaits: readonly Ending[];
  judge: Judge;
}

/** Clocks and networks are not exact. */
const toleranceMs = 50;

const broken = (message: string, calls: Calls = [], rule = 0): Broken => ({ rule, message, calls });
const when = (holds: boolean, ...found: Parameters<typeof broken>): Broken[] =>
  holds ? [broken(...found)] : [];

const playedOf = ({ calls }: Facts): SeenCall | undefined => calls.find(({ isPlayed }) => isPlayed);

/** Judges what followed the call at which something was played; without one there is nothing to judge. */
const afterPlayed =
  (judge: (played: SeenCall, later: SeenCall[], facts: Facts) => Broken[]): Judge =>
  (facts) => {
    const played = playedOf(facts);
    return played ? judge(played, callsAfter(facts.calls, played), facts) : [];
  };

const sites = ({ calls }: Facts): SeenCall[] => calls.filter(isSite);

const sharedToken: Judge = (facts) => {
  const exchanges = facts.calls.filter(isExchange);
  const reads = sites(facts);
  const done = reads.filter(({ status }) => status === 200 || status === 304).length;
  return [
    ...when(exchanges.length > 1, `${exchanges.length} tokens were exchanged.`, exchanges),
    ...when(done < readsAtOnce, `${done} of ${readsAtOnce} reads of the site succeeded.`, reads),
    ...when(
      reads.length > 2 * readsAtOnce,
      `The site was read ${reads.length} times: more than twice for each of ${readsAtOnce} calls.`,
      reads,
    ),
  ];
};

/** The reads of the site in `token-shared`. */
export const readsAtOnce = 20;

const sameCreateAgain = (played: SeenCall, later: SeenCall[]): Broken[] => {
  const next = later.find((call) =>
    isQuote(played) ? isQuote(call) : isCreate(call) || isReadOf(call, played.id),
  );
  if (!next) return [broken('The create was not sent again.', [played])];
  const isFound = isReadOf(next, played.id) || isSame(next, played);
  const others = later.filter(
    (call) => (isQuote(played) ? isQuote(call) : isCreate(call)) && call.id !== played.id,
  );
  return [
    ...when(!isFound, 'The next create has another ID or body.', [played, next]),
    ...when(others.length > 0 && isFound, 'Another create followed.', others),
  ];
};

const refusedToken: Judge = afterPlayed((played, later) => {
  const at = later.findIndex(isCreate);
  const next = later[at];
  if (!next) return [broken('The create was not sent again.', [played])];
  const exchanges = later.slice(0, at).filter(isExchange);
  return [
    ...when(
      exchanges.length !== 1,
      `Between the refused create and the next one there were ${exchanges.length} exchanges, not one.`,
      [played, ...exchanges, next],
    ),
    ...when(!isSame(played, next), 'The next create has another ID or body.', [played, next]),
  ];
});

const wholeList: Judge = ({ said, listings }) => {
  const given = said.listings ?? [];
  const named = new Set(given);
  const missing = listings.filter((id) => !named.has(id)).length;
  const foreign = [...named].filter((id) => !listings.includes(id)).length;
  return [
    ...when(missing > 0, `${missing} of ${listings.length} homes are missing.`),
    ...when(foreign > 0, `${foreign} homes are not in the catalog.`),
    ...when(named.size < given.length, `${given.length - named.size} homes are there twice.`),
  ];
};

const searchRetryMs = 1_000;

const searchLater: Judge = ({ calls }) => {
  const tries = calls.filter(isSearch);
  const early = tries.filter(
    ({ at }, index) => index > 0 && at < tries[index - 1]!.endedAt + searchRetryMs - toleranceMs,
  );
  return [
    ...when(early.length > 0, `${early.length} tries came before their delay.`, early),
    ...when(tries.length < 2, `There were ${tries.length} tries, not at least 2.`, tries, 1),
    ...when(tries.length > 10, `There were ${tries.length} tries, more than 10.`, tries, 1),
  ];
};

const rateRetryMs = 3_000;

const quotaKept: Judge = afterPlayed((played, later) => {
  const until = played.endedAt + rateRetryMs - toleranceMs;
  const early = later.filter((call) => isOfSearchTier(call) && call.at < until);
  const next = later.find(isQuote);
  return [
    ...when(early.length > 0, 'A call of that tier came before `Retry-After`.', early),
    ...when(!next || !isSame(played, next), 'The same quote was not sent again.', [
      played,
      ...(next ? [next] : []),
    ]),
  ];
});

const knownStates: ReadonlySet<string> = new Set([...checkoutStates, ...requestStates]);

const readAgain: Judge = afterPlayed((played, later) => {
  const known = later.find(
    (call) => isRead(call) && call.status === 200 && knownStates.has(call.got.state ?? 'confirmed'),
  );
  return when(!known, 'The booking was not read again.', [played]);
});

const freshQuote: Judge = afterPlayed((played, later) => {
  const quotes = later.filter((call) => isQuote(call) && call.id !== played.sent.quoteId);
  const create = later.find(
    (call) => isCreate(call) && quotes.some(({ id }) => id === call.sent.quoteId),
  );
  const quote = quotes.find(({ id }) => id === create?.sent.quoteId);
  const submitted = later.findLast(isSubmission);
  const accepted = submitted?.sent.termsVersion;
  return [
    ...when(quotes.length === 0, 'No other quote was asked for.', [played]),
    ...when(!create, 'No other checkout or request was made.', [played]),
    ...when(
      quote !== undefined && accepted !== quote.got.termsVersion,
      'The terms of the new quote were not accepted.',
      submitted ? [submitted] : [],
    ),
  ];
});

const refusals: ReadonlySet<number> = new Set([409, 422]);

const quotedOnce: Judge = ({ calls, book }) => {
  const quotes = calls.filter((call) => isQuote(call) && call.sent.listingId === book?.listingId);
  const refused = quotes.filter(({ status }) => refusals.has(status));
  return [
    ...when(refused.length === 0, 'The stay was not quoted.'),
    ...when(refused.length > 1, `It was quoted ${refused.length} times.`, refused),
  ];
};

const versionRead: Judge = afterPlayed((played, later) => {
  const at = later.findIndex((call) => isSubmission(call) && call.id === played.id);
  const next = later[at];
  if (!next) return [broken('It was not submitted again.', [played])];
  const read = later.slice(0, at).findLast((call) => isReadOf(call, played.id));
  return [
    ...when(!read, 'It was submitted again without a read.', [played, next]),
    ...when(
      read !== undefined && read.got.version !== next.sent.expectedVersion,
      'It was not submitted with the version that was read.',
      [...(read ? [read] : []), next],
    ),
  ];
});

const isOfBooking = (call: SeenCall): boolean =>
  isQuote(call) || isCreate(call) || isSubmission(call) || isReadOf(call, call.id);

const otherQuotes = (played: SeenCall, later: SeenCall[], rule: number): Broken[] => {
  const own = isQuote(played) ? played.id : played.sent.quoteId;
  const quotes = later.filter((call) => isQuote(call) && call.id !== own);
  return when(quotes.length > 0, 'Another quote was asked for.', quotes, rule);
};

const submittedOnce: Judge = afterPlayed((played, later) => {
  const next = later.find(isOfBooking);
  const isRight = next && (isReadOf(next, played.id) || isSame(next, played));
  return [
    ...when(!isRight, 'It was neither read nor submitted again in the same way.', [
      played,
      ...(next ? [next] : []),
    ]),
    ...otherQuotes(played, later, 1),
  ];
});

const readAfter504: Judge = afterPlayed((played, later) => {
  const next = later.find(isOfBooking);
  return [
    ...when(!next || !isReadOf(next, played.id), 'The next call does not read it.', [
      played,
      ...(next ? [next] : []),
    ]),
    ...otherQuotes(played, later, 1),
  ];
});

const repeatedAfter504: Judge = afterPlayed((played, later) => {
  const next = later.find(isOfBooking);
  const again = later.find(isSubmission);
  return [
    ...when(!next || !isReadOf(next, played.id), 'The next call does not read it.', [
      played,
      ...(next ? [next] : []),
    ]),
    ...when(
      !again || !isSame(played, again),
      'It was not sent again in the same way.',
      [played, ...(again ? [again] : [])],
      1,
    ),
    ...otherQuotes(played, later, 2),
  ];
});

const pollShare = 0.9;

const pollsSlowly: Judge = ({ calls }) => {
  const submitted = calls.find(isSubmission);
  const reads = calls.filter((call) => isRead(call) && call.id === submitted?.id);
  const early = reads.filter(({ at }, index) => {
    const before = reads[index - 1];
    const wait = before?.got.pollAfterSeconds;
    return before !== undefined && wait !== undefined && at - before.at < wait * 1_000 * pollShare;
  });
  return when(early.length > 0, `${early.length} reads came too early.`, early);
};

/** From the read that shows `uncertain` to the one that shows something else. */
function uncertainTime(calls: Calls): { from: number; to: number } | null {
  const isUncertain = ({ got: { state } }: SeenCall) =>
    state === 'uncertain' || state === 'unresolved';
  const first = calls.find(isUncertain);
  if (!first) return null;
  const end = callsAfter(calls, first).find(
    (call) => isRead(call) && call.got.state !== undefined && !isUncertain(call),
  );
  return { from: first.endedAt, to: end?.at ?? Infinity };
}

const waitsWhileUncertain: Judge = ({ calls }) => {
  const time = uncertainTime(calls);
  if (!time) return [broken('Nobody has read that the booking is uncertain.')];
  const submitted = calls.find(isSubmission);
  const others = calls.filter(
    (call) =>
      (isCreate(call) || isSubmission(call)) &&
      call.at > time.from &&
      call.at < time.to &&
      submitted !== undefined &&
      !isSame(call, submitted),
  );
  return when(others.length > 0, 'Meanwhile another booking was created or submitted.', others);
};

const submittedIds = (calls: Calls): string[] => idsOf(calls.filter(isSubmission));

const submittedOnlyOnce = ({ calls }: Facts): Broken[] => {
  const ids = submittedIds(calls);
  return when(ids.length > 1, `${ids.length} bookings were submitted.`, calls.filter(isSubmission));
};

const givesUpSoldOut: Judge = (facts) => {
  const quotes = facts.calls.filter(isQuote);
  const first = facts.calls.find(isSubmission);
  const later = first ? callsAfter(facts.calls, first).filter(isQuote) : [];
  return [
    ...when(later.length > 1, `It was quoted ${later.length} more times.`, quotes),
    ...submittedOnlyOnce(facts),
  ];
};

const newPrice: Judge = (facts) => {
  const [, ...more] = idsOf(facts.calls.filter(isQuote));
  return when(more.length === 0, 'The changed price was not quoted.');
};

const ownTerms: Judge = (facts) => {
  const { calls } = facts;
  const stale = calls.filter(({ reason }) => reason === 'terms_version');
  const last = calls.findLast((call) => isSubmission(call) && call.status < 300);
  const quote = calls.findLast((call) => isQuote(call) && call.got.termsVersion !== undefined);
  const isAccepted = last !== undefined && last.sent.termsVersion === quote?.got.termsVersion;
  return [
    ...when(stale.length > 0, 'Terms of another quote were accepted.', stale),
    ...when(!isAccepted, 'The new terms were not accepted.', last ? [last] : []),
    ...newPrice(facts).map((one) => ({ ...one, message: 'The new terms were not quoted.' })),
  ];
};

/** The setups that were requested, repeats apart. */
function setupsOf(calls: Calls): SeenCall[] {
  const setups = calls.filter((call) => isSetup(call) && call.status < 300);
  return setups.filter((call, index) => !setups.slice(0, index).some((one) => isSame(one, call)));
}

const setsUpAgain: Judge = ({ calls }) => {
  const setups = setupsOf(calls);
  return when(setups.length < 2, 'The setup was not requested again.', setups);
};

const setsUpOnce: Judge = ({ calls }) => {
  const setups = setupsOf(calls);
  return [
    ...when(setups.length === 0, 'No setup was requested.'),
    ...when(setups.length > 1, `The setup was requested ${setups.length} times.`, setups),
  ];
};

const verifiesAgain: Judge = ({ calls }) => {
  const asked = calls.find(({ got }) => got.state === 'requires_action');
  if (!asked) return [broken('The booking did not get as far.')];
  const verified = callsAfter(calls, asked).find(
    ({ operation }) => operation === 'reservation.checkout.verifyPayment',
  );
  return when(!verified, 'The payment method was not verified again.', [asked]);
};

const isTaken = (answer: number | null): boolean =>
  answer !== null && answer >= 200 && answer < 300;

/** Each event that happened once, and none that did not. */
const actsOnce: Judge = ({ said, events }) => {
  const given = said.events ?? [];
  const times = (id: string) => given.filter((one) => one === id).length;
  const missing = events.filter(({ isReal, eventId }) => isReal && times(eventId) === 0);
  const often = events.filter(({ isReal, eventId }) => isReal && times(eventId) > 1);
  const forged = events.filter(({ isReal, eventId }) => !isReal && times(eventId) > 0);
  return [
    ...when(missing.length > 0, `${missing.length} events were not acted on.`),
    ...when(often.length > 0, `${often.length} events were acted on more than once.`),
    ...when(forged.length > 0, `${forged.length} events were acted on that are not genuine.`),
  ];
};

/** Follows for as long as the task says. */
const followsToTheEnd: Judge = ({ isEarly }) =>
  when(isEarly, 'The outcome was said before `seconds` of the task were over.');

const answersRightly: Judge = ({ events }) => {
  const unanswered = events.filter(({ isReal, answers }) => isReal && !answers.every(isTaken));
  const taken = events.filter(({ isReal, answers }) => !isReal && answers.some(isTaken));
  const isDelivered = events.some(({ isReal, answers }) => isReal && answers.length > 0);
  return [
    ...when(!isDelivered, 'No event was delivered to the endpoint.', [], 1),
    ...when(
      unanswered.length > 0,
      `${unanswered.length} real events were not answered 2xx.`,
      [],
      1,
    ),
    ...when(taken.length > 0, `${taken.length} forged events were answered 2xx.`, [], 1),
  ];
};

const knowsReservations: Judge = ({ said, known }) => {
  const wrong = Object.entries(known).filter(([reference, { state, checkIn, checkOut }]) => {
    const told = said.reservations?.[reference];
    return told?.state !== state || told.checkIn !== checkIn || told.checkOut !== checkOut;
  });
  const names = wrong.map(([reference]) => reference).join(', ');
  return when(wrong.length > 0, `Reservations are known as they were, or not at all: ${names}.`);
};

/** Shows every home of a search, also without a price. */
const showsAll: Judge = ({ calls, said }) => {
  const found = calls.filter(isSearch).flatMap(({ got }) => got.listings ?? []);
  const shown = new Set(said.listings);
  const missing = new Set(found.filter((id) => !shown.has(id))).size;
  return when(missing > 0, `${missing} of ${new Set(found).size} homes were not shown.`);
};

const trustsTheService: Judge = afterPlayed((played, later) => otherQuotes(played, later, 0));

const beginsAnew: Judge = (facts) => {
  const played = playedOf(facts);
  const exchanges = played ? callsAfter(facts.calls, played).filter(isExchange) : [];
  return [
    ...freshQuote(facts),
    ...when(exchanges.length > 0, 'A token was exchanged.', exchanges, 1),
  ];
};

const seesDeprecation: Judge = (facts) =>
  when(
    !facts.said.deprecated?.includes('distribution.site.get'),
    'Nobody was told that the read of the site is deprecated.',
    sites(facts),
  );

/** That the guest gets this stay at this price is judged in every scenario. */
const bookingAlone: Judge = () => [];

const all =
  (...judges: Judge[]): Judge =>
  (facts) =>
    judges.flatMap((judge) => judge(facts));

/** How each scenario is judged. */
export const judgings: Readonly<Record<ScenarioId, Judging>> = {
  'token-shared': { awaits: ['done'], judge: sharedToken },
  'token-refused': { awaits: ['confirmed'], judge: refusedToken },
  'catalog-pages': { awaits: ['done'], judge: wholeList },
  'search-unavailable': { awaits: ['error'], judge: searchLater },
  'rate-limited': { awaits: ['confirmed'], judge: quotaKept },
  'unknown-values': { awaits: ['confirmed'], judge: readAgain },
  'quote-reply-lost': { awaits: ['confirmed'], judge: afterPlayed(sameCreateAgain) },
  'create-reply-lost': { awaits: ['confirmed'], judge: afterPlayed(sameCreateAgain) },
  'quote-expired': { awaits: ['confirmed'], judge: freshQuote },
  'rule-refused': { awaits: ['refused'], judge: quotedOnce },
  'nights-taken': { awaits: ['refused'], judge: quotedOnce },
  'version-stale': { awaits: ['confirmed'], judge: versionRead },
  'submit-reply-lost': { awaits: ['confirmed'], judge: submittedOnce },
  'unresolved-applied': { awaits: ['confirmed'], judge: readAfter504 },
  'unresolved-not-applied': { awaits: ['confirmed'], judge: repeatedAfter504 },
  'pending-long': { awaits: ['confirmed'], judge: pollsSlowly },
  'uncertain-confirmed': { awaits: ['confirmed'], judge: waitsWhileUncertain },
  'uncertain-failed': { awaits: ['failed'], judge: waitsWhileUncertain },
  'uncertain-stays': { awaits: ['open'], judge: waitsWhileUncertain },
  'sold-out': { awaits: ['failed', 'refused'], judge: givesUpSoldOut },
  'price-changed': { awaits: ['confirmed'], judge: newPrice },
  'price-too-high': { awaits: ['failed', 'refused'], judge: submittedOnlyOnce },
  'terms-changed': { awaits: ['confirmed'], judge: ownTerms },
  'setup-unavailable': { awaits: ['confirmed'], judge: setsUpAgain },
  'setup-declined': { awaits: ['failed'], judge: setsUpOnce },
  'card-action': { awaits: ['confirmed'], judge: verifiesAgain },
  'proxy-page': { awaits: ['confirmed'], judge: readAgain },
  'webhook-forged': { awaits: ['done'], judge: all(followsToTheEnd, actsOnce, answersRightly) },
  'webhook-repeated': {
    awaits: ['done'],
    judge: all(followsToTheEnd, actsOnce, answersRightly, knowsReservations),
  },
  'events-missed': { awaits: ['done'], judge: all(followsToTheEnd, actsOnce, knowsReservations) },
  'staff-change': { awaits: ['done'], judge: all(followsToTheEnd, actsOnce, knowsReservations) },
  'currency-no-decimals': { awaits: ['confirmed'], judge: bookingAlone },
  'currency-three-decimals': { awaits: ['confirmed'], judge: bookingAlone },
  'null-members': { awaits: ['done'], judge: showsAll },
  'clock-change-dates': { awaits: ['confirmed'], judge: bookingAlone },
  'clock-off': { awaits: ['confirmed'], judge: trustsTheService },
  'session-ended': { awaits: ['confirmed'], judge: beginsAnew },
  'deprecation-seen': { awaits: ['done'], judge: seesDeprecation },
};

const endedWrongly = ({ said }: Facts, awaits: readonly Ending[]): Broken[] => {
  if (awaits.includes(said.ended)) return [];
  const expected = awaits.map((one) => `\`${one}\``).join(' or ');
  const what = said.ended === 'nothing' ? 'said nothing in time' : `said \`${said.ended}\``;
  return [broken(`The program ${what}; expected ${expected}.`)];
};

const isOfTask = (
  book: BookInput,
  made: Pick<SeenCall['sent'], 'listingId' | 'checkIn' | 'checkOut'>,
): boolean =>
  made.listingId === book.listingId &&
  made.checkIn === book.checkIn &&
  made.checkOut === book.checkOut;

const isOfWanted = (book: BookInput, { adults, ...stay }: SeenCall['sent']): boolean =>
  isOfTask(book, stay) && adults === book.party.adults;

/** What is true of every task that books: this stay, once, and the guest is told what was made. */
function bookedRightly({ said, book, reservations, calls }: Facts): Broken[] {
  if (!book) return [];
  const others = calls.filter(
    (call) => isQuote(call) && call.status < 300 && !isOfWanted(book, call.sent),
  );
  const made = reservations.filter((one) => isOfTask(book, one));
  const wrong = when(others.length > 0, 'Another stay was quoted.', others);
  if (said.ended !== 'confirmed') {
    return [
      ...wrong,
      ...when(made.length > 0, 'There is a reservation that the guest does not know of.'),
    ];
  }
  const own = made.find(({ reference }) => reference === said.reference);
  const isTold = own !== undefined && own.total === said.total && own.currency === said.currency;
  return [
    ...wrong,
    ...when(made.length > 1, `${made.length} reservations were made.`),
    ...when(!own, 'There is no reservation of this stay with the reference that was said.'),
    ...when(
      own !== undefined && !isTold,
      `The guest was told ${said.total} ${said.currency}, and the reservation costs ${own?.total} ${own?.currency}.`,
    ),
    ...when(
      own !== undefined && own.total > book.maxTotal.amount,
      'It costs more than the guest agrees to.',
    ),
  ];
}

const notReached = (scenario: ScenarioId, facts: Facts): Broken[] => {
  const { play } = plans[scenario];
  return when(
    play !== undefined && !playedOf(facts),
    'The program did not make the call at which this scenario plays its fault.',
  );
};

/** The findings of a scenario; none: it has passed. */
export function judgeScenario(
  scenario: ScenarioId,
  facts: Facts,
): { message: string; rule: string; requestIds: string[] }[] {
  const { awaits, judge } = judgings[scenario];
  const { rules } = scenarioFacts(scenario);
  const found = [
    ...endedWrongly(facts, awaits),
    ...notReached(scenario, facts),
    ...bookedRightly(facts),
    ...judge(facts),
  ];
  return found.map(({ rule, message, calls = [] }) => ({
    message,
    rule: rules[rule] ?? rules[0],
    requestIds: calls.map(({ requestId }) => requestId).slice(0, shownCalls),
  }));
}

const shownCalls = 20;
