/** Compares what the clients saw with the database. */
import { checkoutTransitions } from '../../src/bookings/rules/checkout.ts';
import { requestTransitions } from '../../src/bookings/rules/reservation-request.ts';
import type {
  BookingFact,
  ConflictFact,
  EventFact,
  Facts,
  NightsFact,
  OutsideFact,
  ReservationFact,
} from './facts.ts';
import {
  isAcknowledged,
  type Called,
  type History,
  type KnownStay,
  type Nights,
  type Seen,
} from './history.ts';

/** Both sides of a run. */
export interface Evidence {
  history: History;
  facts: Facts;
}

/** Descriptions of all violations. */
type Rule = (evidence: Evidence) => string[];

interface Observation extends Seen {
  bookingId: string;
  startedAt: number;
  endedAt: number;
}

const respondedWithinMs = 6_000;
const finalStates: ReadonlySet<string> = new Set(['confirmed', 'failed', 'expired']);
const hasId = (fact: BookingFact): string => `${fact.kind} ${fact.bookingId}`;

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  return Map.groupBy(items, keyOf);
}

/** The states that are reachable from each state, itself included. */
function closure(moves: readonly { from: string; to: string }[]): (from: string) => Set<string> {
  return (from) => {
    const reached = new Set([from]);
    for (const state of reached) {
      for (const move of moves) if (move.from === state) reached.add(move.to);
    }
    return reached;
  };
}

const reachable: Readonly<Record<BookingFact['kind'], (from: string) => Set<string>>> = {
  checkout: closure(checkoutTransitions),
  request: closure(requestTransitions),
};

function observations(history: History): Observation[] {
  return history.calls.flatMap((called) => {
    const seen = called.response?.seen;
    if (!seen || called.resourceId === null || !isAcknowledged(called)) return [];
    const { startedAt, endedAt } = called;
    return [{ ...seen, bookingId: called.resourceId, startedAt, endedAt }];
  });
}

function lostFrom(fact: BookingFact | undefined, seen: Observation): string | null {
  if (!fact) return `${seen.bookingId} was acknowledged and is not there`;
  const name = `${hasId(fact)}, acknowledged as ${seen.state} ${seen.version},`;
  if (fact.version < seen.version) return `${name} stands at ${fact.version}`;
  if (!reachable[fact.kind](seen.state).has(fact.state)) return `${name} is ${fact.state}`;
  const sameReference = seen.reference === null || seen.reference === fact.reference;
  return sameReference ? null : `${name} has another reference`;
}

const noAcknowledgedWriteIsLost: Rule = ({ history, facts }) => {
  const byId = new Map(facts.bookings.map((fact) => [fact.bookingId, fact]));
  const lost = observations(history).flatMap(
    (seen) => lostFrom(byId.get(seen.bookingId), seen) ?? [],
  );
  const quotes = history.calls
    .filter((called) => called.operation === 'reservation.quote.create' && isAcknowledged(called))
    .filter(({ resourceId }) => resourceId !== null && !facts.quoteIds.has(resourceId))
    .map(({ resourceId }) => `quote ${resourceId} was acknowledged and is not there`);
  return [...lost, ...quotes];
};

const nothingSurprises: Rule = ({ history }) => history.surprises;

function hangs({ operation, startedAt, endedAt, response }: Called): string[] {
  const ms = Math.round(endedAt - startedAt);
  if (ms <= respondedWithinMs) return [];
  return [
    `${operation} took ${ms} ms${response ? `, status ${response.status}` : ' without a response'}`,
  ];
}

const everyCallEndsInTime: Rule = ({ history }) => history.calls.flatMap(hangs);

const refusalsSayWhenToComeBack: Rule = ({ history }) =>
  history.calls
    .filter(({ response }) => response?.status === 503)
    .filter(({ response }) => response?.code !== 'unavailable' || !response.retryAfter)
    .map(
      ({ operation, response }) => `${operation} returned 503 ${response?.code} without a delay`,
    );

const noErrorsOfOurs: Rule = ({ history }) =>
  history.calls
    .filter(({ response }) => response?.status === 500)
    .map(({ operation, resourceId }) => `${operation} of ${resourceId} returned 500`);

function fell(seen: readonly Observation[]): string[] {
  const inOrder = seen.toSorted((one, other) => one.endedAt - other.endedAt);
  return inOrder.flatMap((later) => {
    const before = inOrder.filter(({ endedAt }) => endedAt <= later.startedAt);
    const highest = before.reduce((most, { version }) => Math.max(most, version), 0);
    const final = before.find(({ state }) => finalStates.has(state));
    return [
      ...(later.version < highest
        ? [`${later.bookingId} fell from ${highest} to ${later.version}`]
        : []),
      ...(final && final.state !== later.state
        ? [`${later.bookingId} was ${final.state} and then ${later.state}`]
        : []),
    ];
  });
}

const versionsRiseAndFinalStatesStay: Rule = ({ history }) =>
  [...groupBy(observations(history), ({ bookingId }) => bookingId).values()].flatMap(fell);

const oneVersionHasOneState: Rule = ({ history }) => {
  const byVersion = groupBy(
    observations(history),
    (seen) => `${seen.bookingId} at ${seen.version}`,
  );
  return [...byVersion].flatMap(([name, seen]) => {
    const states = [...new Set(seen.map(({ state }) => state))];
    return states.length > 1 ? [`${name} was seen as ${states.join(' and ')}`] : [];
  });
};

/** How often the resolution can have changed it. `ownHomes`: a hold in a database that fails is uncertain. */
function resolutionTransitions(fact: BookingFact, ownHomes: boolean): number[] {
  if (!fact.submitted) return [0];
  if (fact.state === 'uncertain' || fact.state === 'unresolved') return [1];
  if (!finalStates.has(fact.state)) return [0];
  const outcome = fact.supplierOutcome ?? (ownHomes ? 'uncertain' : '');
  return outcome.startsWith('uncertain') ? [1, 2] : [1];
}

function effectsOf(fact: BookingFact, ownHomes: boolean): string[] {
  const answered = fact.setupsAsked - (fact.setupPending ? 1 : 0);
  const sure = 1 + fact.commandVersions.length + answered;
  const possible = resolutionTransitions(fact, ownHomes).map((moves) => sure + moves);
  const twice = fact.commandVersions.length - new Set(fact.commandVersions).size;
  return [
    ...(possible.includes(fact.version)
      ? []
      : [`${hasId(fact)} (${fact.state}) stands at ${fact.version}, not ${possible.join(' or ')}`]),
    ...(twice > 0 ? [`${hasId(fact)} was moved twice from one version`] : []),
  ];
}

const noEffectHappensTwice: Rule = ({ facts }) =>
  facts.bookings.flatMap((fact) => effectsOf(fact, facts.nights !== null));

const oneReservationForEachConfirmed: Rule = ({ facts }) => {
  const byBooking = groupBy(facts.reservations, ({ bookingId }) => bookingId);
  return facts.bookings.flatMap((fact) => {
    const made = byBooking.get(fact.bookingId) ?? [];
    const wanted = fact.state === 'confirmed' ? [fact.reference] : [];
    const same = made.map(({ reference }) => reference).join() === wanted.join();
    return same ? [] : [`${hasId(fact)} is ${fact.state} and has ${made.length} reservations`];
  });
};

/** Nights, and what has them in whose eyes. */
interface NamedNights extends Nights {
  name: string;
}

const overlapsIn = (nights: readonly NamedNights[]): string[] =>
  [...groupBy(nights, ({ listingId }) => listingId).values()].flatMap((taken) => {
    const inOrder = taken.toSorted((one, other) => (one.checkIn < other.checkIn ? -1 : 1));
    return inOrder.flatMap((next, index) => {
      const before = inOrder[index - 1];
      return before && next.checkIn < before.checkOut
        ? [`${next.name} overlaps ${before.name}`]
        : [];
    });
  });

const shown = ({ id, kind, from, to }: NightsFact): string => `${kind} ${id}, ${from} to ${to}`;
const shownStay = ({ reference, state, checkIn, checkOut }: Omit<KnownStay, 'version'>): string =>
  `${reference} (${state}) ${checkIn} to ${checkOut}`;

/** The latest response about each reservation that guests and staff received. */
function latestStays({ stays }: History): KnownStay[] {
  const byReference = groupBy(stays, ({ reference }) => reference);
  return [...byReference.values()].map((known) =>
    known.reduce((last, one) => (one.version > last.version ? one : last)),
  );
}

const isStanding = ({ state }: Pick<KnownStay, 'state'>): boolean => state !== 'cancelled';

/** The nights that somebody has, as clients and staff know it. */
function knownNights(history: History): NamedNights[] {
  const stays = latestStays(history)
    .filter((stay) => isStanding(stay) && !history.unclear.has(stay.reference))
    .map((stay) => ({ ...stay, name: `known: ${shownStay(stay)}` }));
  const blocks = history.blocks
    .filter(({ state }) => state === 'there')
    .map((block) => ({ ...block, name: `known: block ${block.blockId}` }));
  return [...stays, ...blocks];
}

const noTwoStaysShareANight: Rule = ({ history, facts }) => {
  // Availability in the simulation is artificial.
  if (!facts.nights) return [];
  const inTables = facts.nights.map((taken) => {
    return { ...taken, checkIn: taken.from, checkOut: taken.to, name: shown(taken) };
  });
  const inApi = (history.shown?.reservations ?? [])
    .filter(isStanding)
    .map((stay) => ({ ...stay, name: `shown: ${shownStay(stay)}` }));
  return [inTables, knownNights(history), inApi].flatMap(overlapsIn);
};

const isSameStay = (one: Omit<KnownStay, 'version'>, other: ReservationFact): boolean =>
  one.state === other.state &&
  one.listingId === other.listingId &&
  one.checkIn === other.checkIn &&
  one.checkOut === other.checkOut;

function lostStay(
  { unclear }: History,
  known: KnownStay,
  stored: ReservationFact | undefined,
): string[] {
  const name = `${shownStay(known)}, version ${known.version},`;
  if (!stored) return [`${name} is not there`];
  const isLater = stored.version > known.version && unclear.has(known.reference);
  if (isLater || (stored.version === known.version && isSameStay(known, stored))) return [];
  return [`${name} is ${shownStay(stored)}, version ${stored.version}`];
}

const noActOfStaffIsLost: Rule = ({ history, facts }) => {
  // In the simulation the supplier changes reservations, too.
  if (!facts.nights) return [];
  const stored = new Map(facts.reservations.map((fact) => [fact.reference, fact]));
  const nights = new Map(facts.nights.map((taken) => [taken.id, taken]));
  return [
    ...latestStays(history).flatMap((stay) => lostStay(history, stay, stored.get(stay.reference))),
    ...history.blocks.flatMap(({ blockId, state, checkIn, checkOut }) => {
      const taken = nights.get(blockId);
      const isThere = taken?.from === checkIn && taken.to === checkOut;
      const isRight = { there: isThere, removed: !taken, unclear: true }[state];
      return isRight
        ? []
        : [`block ${blockId}, which is ${state}, ${taken ? 'is' : 'is not'} there`];
    }),
  ];
};

/** The dates of nights, in order. */
const datesOf = (taken: readonly Pick<NightsFact, 'from' | 'to'>[]): string[] =>
  taken
    .flatMap(({ from, to }) =>
      Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs }, (_, night) =>
        new Date(Date.parse(from) + night * dayMs).toISOString().slice(0, 10),
      ),
    )
    .toSorted();

const dayMs = 86_400_000;

/** A calendar blocks what its channel sells, without what somebody else has: that is a conflict. */
const channelsBlockWhatTheySell: Rule = ({ history: { sold }, facts }) => {
  if (!sold) return [];
  const { calendarId, listingId, nights } = sold;
  const here = (facts.nights ?? []).filter((taken) => taken.listingId === listingId);
  const ofIt = (one: ConflictFact): boolean => one.calendarId === calendarId;
  const others = new Set(datesOf(here.filter((taken) => !ofIt(taken))));
  const wanted = datesOf(nights.map(({ checkIn: from, checkOut: to }) => ({ from, to })));
  const dates = [...new Set(wanted)];
  const blocked = datesOf(here.filter(ofIt)).join();
  const colliding = datesOf(facts.conflicts.filter(ofIt)).join();
  const toBlock = dates.filter((date) => !others.has(date)).join();
  const toReport = dates.filter((date) => others.has(date)).join();
  return [
    ...(blocked === toBlock ? [] : [`the calendar blocks ${blocked}, and not ${toBlock}`]),
    ...(colliding === toReport ? [] : [`it reports ${colliding}, and not ${toReport}`]),
  ];
};

const isSameSale = (told: Nights, { listingId, from, to }: OutsideFact): boolean =>
  told.listingId === listingId && told.checkIn === from && told.checkOut === to;

/** What another system has sold is sold: each night is its own, or something else has it. */
function saleIsWrong(sale: OutsideFact, nights: readonly NightsFact[]): string[] {
  const own = datesOf(nights.filter(({ outside }) => outside === sale.name));
  const others = new Set(
    datesOf(
      nights.filter(
        ({ listingId, outside }) => listingId === sale.listingId && outside !== sale.name,
      ),
    ),
  );
  const wanted = datesOf([sale]).filter((date) => !others.has(date));
  return own.join() === wanted.join()
    ? []
    : [`${sale.name} has the nights ${own.join()}, and not ${wanted.join()}`];
}

const whatWasSoldOutsideIsSold: Rule = ({ history, facts: { nights, outside } }) => {
  const stored = new Map(outside.map((sale) => [sale.name, sale]));
  return [
    ...[...history.outside].flatMap(([name, told]) => {
      const sale = stored.get(name);
      if (told === null) return sale ? [`${name} was taken back and is there`] : [];
      if (!sale) return [`${name} was told and is not there`];
      return isSameSale(told, sale) ? [] : [`${name} is ${sale.from} to ${sale.to}`];
    }),
    ...outside.filter(({ name }) => !history.outside.has(name)).map(({ name }) => `${name} is new`),
    ...outside.flatMap((sale) => saleIsWrong(sale, nights ?? [])),
  ];
};

const theApiShowsWhatIsStored: Rule = ({ history: { shown: seen }, facts }) => {
  if (!seen) return [];
  const stored = new Map(facts.reservations.map((fact) => [fact.reference, fact]));
  const nights = groupBy(facts.nights ?? [], ({ listingId }) => listingId);
  return [
    ...seen.reservations
      .filter(
        (stay) => !stored.has(stay.reference) || !isSameStay(stay, stored.get(stay.reference)!),
      )
      .map((stay) => `the API shows ${shownStay(stay)}`),
    ...seen.calendars.flatMap(({ listingId, taken }) => {
      const dates = datesOf(nights.get(listingId) ?? []);
      return dates.join() === taken.join()
        ? []
        : [`the calendar of ${listingId} shows ${taken.join()}, and taken are ${dates.join()}`];
    }),
  ];
};

const needsNights: ReadonlySet<string> = new Set([
  'pending',
  'requires_action',
  'uncertain',
  'unresolved',
]);

function reservationWithoutNights(
  { reference, state, listingId, checkIn, checkOut }: ReservationFact,
  taken: NightsFact | undefined,
): string[] {
  const same =
    taken?.kind === 'confirmed' &&
    taken.listingId === listingId &&
    taken.from === checkIn &&
    taken.to === checkOut &&
    taken.reference === reference;
  return state === 'cancelled' || same ? [] : [`${reference} (${state}) does not have its nights`];
}

function nightsWithoutNeed(
  taken: NightsFact,
  booking: BookingFact | undefined,
  reservation: ReservationFact | undefined,
): string[] {
  const isNeeded =
    taken.kind === 'held'
      ? needsNights.has(booking?.state ?? '')
      : reservation !== undefined && reservation.state !== 'cancelled';
  return isNeeded ? [] : [`${shown(taken)} are taken for a booking that is ${booking?.state}`];
}

const nightsAreHeldExactlyWhileNeeded: Rule = ({ facts }) => {
  if (!facts.nights) return [];
  const byId = new Map(facts.nights.map((taken) => [taken.id, taken]));
  const bookings = new Map(facts.bookings.map((fact) => [fact.attemptId, fact]));
  const reservations = new Map(facts.reservations.map((fact) => [fact.bookingId, fact]));
  const attempts = new Map(facts.bookings.map((fact) => [fact.bookingId, fact.attemptId]));
  const stays = facts.nights.filter(({ kind }) => kind !== 'block');
  return [
    ...facts.reservations.flatMap((reservation) =>
      reservationWithoutNights(reservation, byId.get(attempts.get(reservation.bookingId) ?? '')),
    ),
    ...stays.flatMap((taken) => {
      const booking = bookings.get(taken.id);
      return nightsWithoutNeed(taken, booking, reservations.get(booking?.bookingId ?? ''));
    }),
  ];
};

const promotionsAreCountedOnce: Rule = ({ facts }) =>
  facts.promotions
    .filter(({ uses, held }) => uses !== held)
    .map(({ code, uses, held }) => `${code} counts ${uses} uses and ${held} bookings hold it`);

const daysAreCountedOnce: Rule = ({ facts }) =>
  facts.days
    .filter(({ reservations, bookings }) => reservations !== bookings)
    .map(
      ({ applicationId, day, reservations, bookings }) =>
        `${applicationId} counts ${reservations} reservations on ${day} and has ${bookings}`,
    );

function resolvedWrong(fact: BookingFact, events: readonly EventFact[]): boolean {
  if (!fact.submitted || !finalStates.has(fact.state)) return events.length > 0;
  const [{ data } = { data: null }] = events;
  const tellsIt =
    data?.state === fact.state &&
    data.version === fact.version &&
    (data.reference ?? null) === fact.reference;
  return events.length !== 1 || !tellsIt;
}

const resolvedHasOneEvent: Rule = ({ facts }) => {
  const matching = facts.events.filter(({ type }) => type === 'checkout.resolved');
  const byBooking = groupBy(matching, ({ data }) => data.checkoutId);
  return facts.bookings.flatMap((fact) => {
    const events = byBooking.get(fact.bookingId) ?? [];
    return resolvedWrong(fact, events)
      ? [
          `${hasId(fact)} (${fact.state} ${fact.version}) has events ${JSON.stringify(events.map(({ data }) => data))}`,
        ]
      : [];
  });
};

/** The events that each state of a reservation must have caused. */
const toldOfReservations: readonly { type: string; when: (state: string) => boolean }[] = [
  { type: 'reservation.confirmed', when: () => true },
  { type: 'reservation.cancelled', when: (state) => state === 'cancelled' },
];

const reservationsHaveOneEvent: Rule = ({ facts }) =>
  toldOfReservations.flatMap(({ type, when }) => {
    const matching = facts.events.filter((event) => event.type === type);
    const byReference = groupBy(matching, ({ data }) => data.reference ?? '');
    return facts.reservations.flatMap(({ reference, state }) => {
      const times = byReference.get(reference)?.length ?? 0;
      const wanted = when(state) ? 1 : 0;
      return times === wanted ? [] : [`${type} of ${reference} (${state}) has ${times} events`];
    });
  });

const versionsHaveOneEvent: Rule = ({ facts }) => {
  const matching = facts.events.filter(({ type }) => type.startsWith('reservation.'));
  const byReference = groupBy(matching, ({ data }) => data.reference ?? '');
  return facts.reservations.flatMap(({ reference, version }) => {
    const events = byReference.get(reference)?.length ?? 0;
    return events === version ? [] : [`${reference}, version ${version}, has ${events} events`];
  });
};

function gaps(applicationId: string, sequences: readonly number[], where: string): string[] {
  const wrong = sequences.findIndex((sequence, index) => sequence !== index + 1);
  return wrong === -1
    ? []
    : [`${where} of ${applicationId} has ${sequences[wrong]} in place ${wrong + 1}`];
}

const sequencesHaveNoGap: Rule = ({ facts }) => {
  const byApplication = groupBy(facts.events, ({ applicationId }) => applicationId);
  return facts.counters.flatMap(({ applicationId, lastSequence }) => {
    const events = byApplication.get(applicationId) ?? [];
    const backwards = events.some(
      (event, index) => event.createdAt < (events[index - 1]?.createdAt ?? 0),
    );
    return [
      ...gaps(
        applicationId,
        events.map(({ sequence }) => sequence),
        'the table',
      ),
      ...(events.length === lastSequence
        ? []
        : [
            `the counter of ${applicationId} says ${lastSequence}, and there are ${events.length} events`,
          ]),
      ...(backwards ? [`the events of ${applicationId} are not in the order of their times`] : []),
    ];
  });
};

const feedsShowEverythingInOrder: Rule = ({ history, facts }) => {
  const byApplication = groupBy(facts.events, ({ applicationId }) => applicationId);
  return [...history.feeds].flatMap(([applicationId, feed]) => {
    const stored = (byApplication.get(applicationId) ?? []).map(({ id }) => id).join();
    return [
      ...gaps(
        applicationId,
        feed.map(({ sequence }) => sequence),
        'the feed',
      ),
      ...(stored === feed.map(({ id }) => id).join()
        ? []
        : [`the feed of ${applicationId} is not what is stored`]),
    ];
  });
};

/** The rules, by guarantee. */
const rules: Readonly<Record<string, Rule>> = {
  'nothing comes back that a good client does not expect': nothingSurprises,
  'no acknowledged write is lost': noAcknowledgedWriteIsLost,
  'no effect happens twice': noEffectHappensTwice,
  'a confirmed booking has one reservation, and no other has any': oneReservationForEachConfirmed,
  'no two stays share a night': noTwoStaysShareANight,
  'nights are held exactly while a booking needs them': nightsAreHeldExactlyWhileNeeded,
  'no act of staff is lost': noActOfStaffIsLost,
  'a calendar blocks what its channel sells, and reports what it cannot block':
    channelsBlockWhatTheySell,
  'what another system has sold is sold, once': whatWasSoldOutsideIsSold,
  'the API shows what is stored': theApiShowsWhatIsStored,
  'a use of a promotion is counted once': promotionsAreCountedOnce,
  'a reservation counts once for its day': daysAreCountedOnce,
  'each resolved submission has one event': resolvedHasOneEvent,
  'each reservation has one event': reservationsHaveOneEvent,
  'each version of a reservation has one event': versionsHaveOneEvent,
  'sequences have no gap and follow the commits': sequencesHaveNoGap,
  'the feed shows all events in their order': feedsShowEverythingInOrder,
  'versions only rise and final states are final': versionsRiseAndFinalStatesStay,
  'one version has one state': oneVersionHasOneState,
  'every call ends within six seconds': everyCallEndsInTime,
  '503 says when to come back': refusalsSayWhenToComeBack,
  'nothing ends in an error of ours': noErrorsOfOurs,
};

/** Whether it should have an outcome by now. */
export function isOverdue(fact: BookingFact, leaseMs: number): boolean {
  const waits = fact.setupPending || fact.state === 'pending' || fact.supplierTells;
  return waits && !finalStates.has(fact.state) && fact.waitingMs > leaseMs;
}

/** Whether it can still change. */
export const isWaiting = (fact: BookingFact): boolean =>
  !finalStates.has(fact.state) &&
  (fact.setupPending ||
    (fact.submitted && fact.state !== 'requires_action' && fact.supplierOutcome !== 'uncertain'));

const shownOfEach = 5;

const nothing = /^\b$/;

/**
 * The violations by guarantee; empty: there are none.
 *
 * @param allowed violations that the faults of this run may cause
 */
export function check(evidence: Evidence, allowed: RegExp = nothing): string[] {
  return Object.entries(rules).flatMap(([promise, rule]) => {
    const broken = rule(evidence).filter((violation) => !allowed.test(violation));
    return broken.length === 0
      ? []
      : [`${promise}: ${broken.length}\n  ${broken.slice(0, shownOfEach).join('\n  ')}`];
  });
}
