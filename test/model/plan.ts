/** The plan of a session: plain data from a seed, which can be shrunk after a failure. */
import * as fc from 'fast-check';
import {
  askedChanges,
  bookingsOf,
  intentionsOf,
  ownStay,
  rivalsOf,
  type FollowIntention,
  type Intention,
} from './intentions.ts';
import { gapPlans, type GapPlan } from './gaps.ts';
import { plainSearch, type SearchMembers } from './homes.ts';
import {
  accountNames,
  quoteNames,
  type AccountName,
  type ModelEnvironment,
  type QuoteName,
  type StayName,
} from './world.ts';

/** A call, the number of concurrent copies, and which responses are discarded. */
export interface Sending {
  intention: Intention;
  times: number;
  /** How many of them disconnect, and after how many milliseconds. */
  lost: number;
  lostAfterMs: number;
}

/** Something that happens in a session. */
export type Step =
  /** Concurrent calls in an order chosen by `mixing`, optionally with a worker and a feed reader. */
  | {
      happens: 'calls';
      sendings: Sending[];
      mixing: number;
      isWorkerBusy: boolean;
      isWatched: boolean;
    }
  | { happens: 'a worker works' }
  | { happens: 'the feed is read'; by: AccountName; limits: number[] }
  | { happens: 'the requests are paged'; by: AccountName; limit: number }
  /** Several next actions, one after the other. */
  | { happens: 'a partner books'; intention: FollowIntention }
  /** A partner books, asks for a change of its reservation, and something happens to the request. */
  | { happens: 'a change is asked'; book: FollowIntention; after: Intention[] }
  /** Two things are put around a gap of a home that allows shorter stays there, and a partner books it. */
  | ({ happens: 'a gap is booked' } & GapPlan)
  /** Of the operator's homes, page by page. */
  | {
      happens: 'the homes are searched';
      by: AccountName;
      stay: StayName;
      limit: number;
      members: SearchMembers;
    }
  | { happens: 'a quote expires'; by: AccountName; quote: QuoteName }
  /** Quotas refill partly. */
  | { happens: 'ten seconds pass' }
  /** A payment setup can be requested again. */
  | { happens: 'a minute passes' }
  /** Supplier outcomes become known, announcements become due, authentications time out, uses of expired promotions are returned. */
  | { happens: 'an hour passes' };

/** A whole session. */
export interface Plan {
  /** How often the limited promotion can be used. */
  limitedUses: number;
  steps: Step[];
}

const by = fc.constantFrom(...accountNames);

const sendings = (intention: fc.Arbitrary<Intention>): fc.Arbitrary<Sending> =>
  fc.record({
    intention,
    times: fc.constantFrom(1, 1, 1, 2, 3, 4, 5),
    lost: fc.constantFrom(0, 0, 0, 0, 1, 2),
    lostAfterMs: fc.nat({ max: 4 }),
  });

function calls(environment: ModelEnvironment, lead: AccountName): fc.Arbitrary<Step> {
  const any = sendings(intentionsOf({ environment, lead }));
  const rival = sendings(rivalsOf({ environment, lead }));
  return fc.record({
    happens: fc.constant('calls' as const),
    sendings: fc.oneof(
      { weight: 6, arbitrary: fc.array(any, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(any, { minLength: 2, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(rival, { minLength: 2, maxLength: 3 }) },
    ),
    mixing: fc.nat({ max: 1_000 }),
    isWorkerBusy: fc.constantFrom(false, false, false, false, false, true),
    isWatched: fc.constantFrom(...Array<boolean>(9).fill(false), true),
  });
}

const feedRead: fc.Arbitrary<Step> = fc.record({
  happens: fc.constant('the feed is read' as const),
  by,
  limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
});

const requestsPaged: fc.Arbitrary<Step> = fc.record({
  happens: fc.constant('the requests are paged' as const),
  by,
  limit: fc.integer({ min: 1, max: 3 }),
});

const quoteExpires: fc.Arbitrary<Step> = fc.record({
  happens: fc.constant('a quote expires' as const),
  by,
  quote: fc.constantFrom(...quoteNames),
});

const homesSearched: fc.Arbitrary<Step> = fc.record({
  happens: fc.constant('the homes are searched' as const),
  by,
  stay: ownStay,
  limit: fc.integer({ min: 1, max: 3 }),
  members: fc.oneof(
    fc.constant(plainSearch),
    fc.record({
      sort: fc.constantFrom(null, 'position' as const, 'total' as const),
      flexDays: fc.constantFrom(null, 0, 1, 3),
      maxTotal: fc.constantFrom(
        null,
        { amount: 60_000, currency: 'EUR' },
        { amount: 30_000, currency: 'JPY' },
      ),
    }),
  ),
});

const stepsOnOwnHomes = (lead: AccountName) => [
  { weight: 2, arbitrary: homesSearched },
  {
    weight: 8,
    arbitrary: fc.record({
      happens: fc.constant('a partner books' as const),
      intention: bookingsOf(lead),
    }),
  },
  {
    weight: 2,
    arbitrary: gapPlans(lead).map((plan): Step => ({ happens: 'a gap is booked', ...plan })),
  },
];

const changeAsked = (environment: ModelEnvironment, lead: AccountName): fc.Arbitrary<Step> =>
  askedChanges(environment, lead).map((asked): Step => ({
    happens: 'a change is asked',
    ...asked,
  }));

const steps = (environment: ModelEnvironment, lead: AccountName): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 30, arbitrary: calls(environment, lead) },
    { weight: 2, arbitrary: changeAsked(environment, lead) },
    ...(environment === 'test' ? stepsOnOwnHomes(lead) : []),
    { weight: 3, arbitrary: fc.constant<Step>({ happens: 'a worker works' }) },
    { weight: 1, arbitrary: feedRead },
    { weight: 1, arbitrary: requestsPaged },
    { weight: 2, arbitrary: quoteExpires },
    { weight: 1, arbitrary: fc.constant<Step>({ happens: 'ten seconds pass' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ happens: 'a minute passes' }) },
    { weight: 2, arbitrary: fc.constant<Step>({ happens: 'an hour passes' }) },
  );

const longest = 60;

const plansOf = (environment: ModelEnvironment, lead: AccountName): fc.Arbitrary<Plan> =>
  fc.record({
    limitedUses: fc.integer({ min: 1, max: 2 }),
    // Without bias to short sessions: long ones find more, and shrinking makes failures short.
    steps: fc.noBias(fc.array(steps(environment, lead), { maxLength: longest, size: 'max' })),
  });

/** In each session one application gets most of the calls; cards are not accepted at the operator's homes. */
const leadsIn: Readonly<Record<ModelEnvironment, readonly AccountName[]>> = {
  simulation: accountNames,
  test: ['partner', 'thrifty'],
};

const allPlans = (environment: ModelEnvironment): fc.Arbitrary<Plan> =>
  fc.oneof(...leadsIn[environment].map((lead) => plansOf(environment, lead)));

/** Any session of an environment. */
export const plans: Readonly<Record<ModelEnvironment, fc.Arbitrary<Plan>>> = {
  simulation: allPlans('simulation'),
  test: allPlans('test'),
};
