/** From search to reservation. */
import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { operatorLimits } from '../limits.ts';

const { funnelWeeks, funnelItems } = operatorLimits;

export const FunnelQuery = Type.RequestObject({
  ...Type.AllOptional({
    applicationId: Type.UuidInput('Only this application.'),
    listing: Type.GivenText(limits.nameLength, 'Only this home, by its slug or ID.'),
    weeks: Type.WholeFrom(1, funnelWeeks.max, `How many weeks; ${funnelWeeks.default} if absent.`),
    to: Type.KeptDate('A day of the last week; today if absent.'),
  }),
});

const views = Type.Whole('Views of homes: signals `listing_viewed`, in the week of the signal.');

const fromQuotes = {
  quotes: Type.Whole(
    'Quotes, in the week in which they were made. They are counted once they have expired.',
  ),
  checkouts: Type.Whole('Those of them that became a checkout or a reservation request.'),
  submitted: Type.Whole('Those of them that were submitted.'),
  confirmed: Type.Whole('Those of them that were confirmed.'),
};

// The weeks before a date of 1900 are earlier than dates that a request may name.
const Monday = Type.String({ format: 'date', description: 'Its Monday, in UTC.' });

const counts = {
  searches: Type.Whole('Searches that were answered, in their week; none for a single home.'),
  views,
  ...fromQuotes,
};

export const Funnel = Type.ResponseObject(
  'Funnel',
  'How often each step from search to reservation was reached. Updated every minute.',
  {
    weeks: Type.Array(Type.ResponseObject('FunnelWeek', { week: Monday, ...counts }), {
      description: 'Each week, oldest first.',
    }),
    applications: Type.Array(
      Type.ResponseObject('FunnelApplication', {
        applicationId: Type.Uuid('The application.'),
        application: Type.Text('Its name.'),
        ...counts,
      }),
      { description: `By application, most quotes first, at most ${funnelItems}.` },
    ),
    homes: Type.Array(
      Type.ResponseObject('FunnelHome', {
        listingId: Type.Uuid('The home.'),
        slug: Type.Nullable(Type.Text('Null: the home no longer exists.')),
        name: Type.Nullable(Type.String()),
        views,
        ...fromQuotes,
      }),
      {
        description: `The homes of one application, most quotes first, at most ${funnelItems}; empty without \`applicationId\`, or with \`listing\`. Beyond two million counts of homes by week, the latest weeks decide which homes are listed.`,
      },
    ),
    refusals: Type.Array(
      Type.ResponseObject('FunnelRefusals', {
        step: Type.Enum(['search', 'quote', 'checkout', 'submit', 'confirm'], {
          description:
            'The call that was refused. `confirm`: a submitted booking that failed, in the week of its quote.',
        }),
        reason: Type.Text(
          'The `reason` of the refusal, its code if it has none, or the failure of the booking.',
        ),
        refusals: Type.Integer(),
      }),
      { description: `Most first, at most ${funnelItems}.` },
    ),
  },
);
