/** The scenarios of conformance runs, as partners and operators see them. Frozen for a wire version. Spec: SANDBOX-4. */

/** How an application books: partner-settled checkouts, card-paying checkouts, reservation requests. */
export const profiles = ['checkout', 'card', 'request'] as const;
export type Profile = (typeof profiles)[number];

/** Rises with each change of the list. */
export const scenarioSet = 2;

/** The kinds of task that a partner's program does. */
export const taskKinds = ['read', 'sync', 'search', 'book', 'follow'] as const;
export type TaskKind = (typeof taskKinds)[number];

/** How a program says that a task ended. */
export const saidEndings = [
  'done',
  'error',
  'confirmed',
  'failed',
  'refused',
  'open',
  'crashed',
] as const;
/** `nothing`: it has not said anything in time. */
export type Ending = (typeof saidEndings)[number] | 'nothing';

/** What everybody can know of a scenario. */
export interface ScenarioFacts {
  level: 'must' | 'should';
  title: string;
  /** What a correct program does. */
  rules: readonly [string, ...string[]];
  /** Absent: all. */
  profiles?: readonly Profile[];
  task: TaskKind;
  /** The program says its outcome within this time. */
  sayWithinSeconds: number;
  limitSeconds: number;
  /** It needs an active endpoint for webhooks. */
  needsEndpoint?: true;
}

const checkouts = ['checkout', 'card'] as const;
const shortBook = { task: 'book', sayWithinSeconds: 45, limitSeconds: 60 } as const;
const longBook = { task: 'book', sayWithinSeconds: 60, limitSeconds: 90 } as const;
const follow = { task: 'follow', sayWithinSeconds: 20, limitSeconds: 40 } as const;

const sameCreate = 'A create whose response is lost is sent again with the same ID and body.';
const noNewQuote = 'While it is not known whether a booking was made, no other one is begun.';
const readFirst = 'After 504 the resource is read before anything is sent again.';
const waitWhileUncertain =
  'While a booking is uncertain, nothing else is created or submitted for its home.';
const onlyReal = 'An event is acted on only if signature and time are right.';

/** The scenarios in their order. */
export const scenarios = {
  'token-shared': {
    level: 'must',
    title: 'All calls share one token',
    rules: [
      'A token is exchanged once for all callers; a call that was refused is sent once more.',
    ],
    task: 'read',
    sayWithinSeconds: 30,
    limitSeconds: 45,
  },
  'token-refused': {
    level: 'must',
    title: 'A create meets an expired token',
    rules: ['After 401 `expired`, one exchange, and the same create again.'],
    ...shortBook,
  },
  'catalog-pages': {
    level: 'must',
    title: 'The whole list of homes',
    rules: ['A list is read page by page until `nextCursor` is null.'],
    task: 'sync',
    sayWithinSeconds: 60,
    limitSeconds: 90,
  },
  'search-unavailable': {
    level: 'must',
    title: 'Search is not available',
    rules: [
      '`Retry-After` is waited for before each try.',
      'After at most 10 tries the guest is told to try later.',
    ],
    task: 'search',
    sayWithinSeconds: 60,
    limitSeconds: 90,
  },
  'rate-limited': {
    level: 'must',
    title: 'The quota of searches is used up',
    rules: ['After 429 no call of that tier is made before `Retry-After`, then the same again.'],
    ...shortBook,
  },
  'unknown-values': {
    level: 'must',
    title: 'Values that do not exist yet',
    rules: ['An unknown state or action means: read it again later.'],
    ...shortBook,
  },
  'quote-reply-lost': {
    level: 'must',
    title: 'The response to a quote is lost',
    rules: [sameCreate],
    ...shortBook,
  },
  'create-reply-lost': {
    level: 'must',
    title: 'The response to a checkout or request is lost',
    rules: [sameCreate],
    ...shortBook,
  },
  'quote-expired': {
    level: 'must',
    title: 'The quote expires',
    rules: ['An expired quote is replaced by a new one, whose terms are accepted.'],
    ...shortBook,
  },
  'rule-refused': {
    level: 'must',
    title: 'The party is too large',
    rules: ['A refusal that no repeat can change is told to the guest, not repeated.'],
    ...shortBook,
  },
  'nights-taken': {
    level: 'must',
    title: 'The nights are taken',
    rules: ['A refusal that no repeat can change is told to the guest, not repeated.'],
    ...shortBook,
  },
  'version-stale': {
    level: 'must',
    title: 'The checkout has moved',
    rules: ['After 412 the checkout is read, then submitted with the version that was read.'],
    profiles: checkouts,
    ...shortBook,
  },
  'submit-reply-lost': {
    level: 'must',
    title: 'The response to a submit is lost',
    rules: ['It is read, or submitted again in the same way.', noNewQuote],
    profiles: checkouts,
    ...shortBook,
  },
  'unresolved-applied': {
    level: 'must',
    title: '504 with effect',
    rules: [readFirst, noNewQuote],
    ...shortBook,
  },
  'unresolved-not-applied': {
    level: 'must',
    title: '504 without effect',
    rules: [readFirst, 'What had no effect is sent again in the same way.', noNewQuote],
    ...shortBook,
  },
  'pending-long': {
    level: 'must',
    title: 'The outcome takes long',
    rules: ['Between two reads passes what `pollAfterSeconds` asks.'],
    ...longBook,
  },
  'uncertain-confirmed': {
    level: 'must',
    title: 'Uncertain, then confirmed',
    rules: [waitWhileUncertain],
    ...longBook,
  },
  'uncertain-failed': {
    level: 'must',
    title: 'Uncertain, then failed',
    rules: [waitWhileUncertain],
    ...longBook,
  },
  'uncertain-stays': {
    level: 'must',
    title: 'Uncertain to the end',
    rules: [waitWhileUncertain, '`uncertain` is no failure: the guest is told that it is open.'],
    task: 'book',
    sayWithinSeconds: 20,
    limitSeconds: 40,
  },
  'sold-out': {
    level: 'must',
    title: 'Sold out after the submission',
    rules: ['A home that is sold out is quoted at most once more, and not submitted again.'],
    ...shortBook,
  },
  'price-changed': {
    level: 'must',
    title: 'The price has changed',
    rules: ['A changed price is quoted anew; the guest is told the total that was confirmed.'],
    ...shortBook,
  },
  'price-too-high': {
    level: 'must',
    title: 'The price has changed above what the guest pays',
    rules: ['Nothing is submitted at a total that the guest has not agreed to.'],
    ...shortBook,
  },
  'terms-changed': {
    level: 'must',
    title: 'The terms have changed',
    rules: ['Each submission accepts the `terms.version` of its own quote.'],
    ...shortBook,
  },
  'setup-unavailable': {
    level: 'must',
    title: 'The payment setup is unavailable once',
    rules: ['A setup that failed as `unavailable` is requested again.'],
    profiles: ['card'],
    ...shortBook,
  },
  'setup-declined': {
    level: 'must',
    title: 'The payment setup is declined',
    rules: ['A setup that failed as `not_authorized` is not requested again.'],
    profiles: ['card'],
    ...shortBook,
  },
  'card-action': {
    level: 'should',
    title: 'The guest has to authenticate',
    rules: ['In `requires_action` the payment method is verified again.'],
    profiles: ['card'],
    ...shortBook,
  },
  'proxy-page': {
    level: 'should',
    title: 'A proxy answers',
    rules: ['A response that is no JSON says nothing about the booking: it is read again.'],
    ...shortBook,
  },
  'webhook-forged': {
    level: 'must',
    title: 'Forged webhooks',
    rules: [onlyReal, 'The endpoint answers 2xx to real events, and to no others.'],
    needsEndpoint: true,
    ...follow,
  },
  'webhook-repeated': {
    level: 'must',
    title: 'Webhooks that are repeated and out of order',
    rules: ['Each event is acted on once, in the order of `sequence`.'],
    needsEndpoint: true,
    ...follow,
  },
  'events-missed': {
    level: 'must',
    title: 'Webhooks that do not arrive',
    rules: ['What no webhook has told is read from the event feed.'],
    ...follow,
  },
  'staff-change': {
    level: 'must',
    title: 'Staff cancel and move reservations',
    rules: ['A reservation is known as it is now, not as it was booked.'],
    ...follow,
  },
  // Since set 2.
  'currency-no-decimals': {
    level: 'should',
    title: 'A currency without decimals',
    rules: ['Amounts are in minor units of their currency: 12345 JPY are 12,345 yen.'],
    ...shortBook,
  },
  'currency-three-decimals': {
    level: 'should',
    title: 'A currency with three decimals',
    rules: ['Amounts are in minor units of their currency: 12345 KWD are 12.345 dinars.'],
    ...shortBook,
  },
  'null-members': {
    level: 'should',
    title: 'Members that are null',
    rules: ['A home without a price, or with members that are null, is shown like the others.'],
    task: 'search',
    sayWithinSeconds: 30,
    limitSeconds: 45,
  },
  'clock-change-dates': {
    level: 'should',
    title: 'A stay over the change of the clocks',
    rules: ['Nights are counted by dates, never by hours: a day can have 23 of them.'],
    ...shortBook,
  },
  'clock-off': {
    level: 'should',
    title: 'The clock of the program is off',
    rules: ['Whether a quote has expired, the service decides: your own clock may be off.'],
    ...shortBook,
  },
  'session-ended': {
    level: 'should',
    title: 'The session of a checkout ends before its submission',
    rules: [
      'A checkout that was not submitted and whose session has ended is begun anew: another quote, another checkout.',
      '403 says nothing about the token: no other one is exchanged for it.',
    ],
    profiles: checkouts,
    ...shortBook,
  },
  'deprecation-seen': {
    level: 'should',
    title: 'An operation is deprecated',
    rules: [
      'A response with the header `Deprecation` is handled as without it, and somebody is told.',
    ],
    task: 'read',
    sayWithinSeconds: 30,
    limitSeconds: 45,
  },
} as const satisfies Record<string, ScenarioFacts>;

export type ScenarioId = keyof typeof scenarios;

/** All scenarios in their order. */
export const scenarioIds = Object.keys(scenarios) as ScenarioId[];

/** What everybody can know of a scenario. */
export const scenarioFacts = (id: ScenarioId): ScenarioFacts => scenarios[id];

/** Whether a profile has a scenario. */
export const isOfProfile = (id: ScenarioId, profile: Profile): boolean =>
  scenarioFacts(id).profiles?.includes(profile) ?? true;
