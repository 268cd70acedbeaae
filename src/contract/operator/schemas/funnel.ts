/** From search to reservation. */
import Type from 'typebox';
import { KeptDate } from './shared.ts';
import { limits } from '../../limits.ts';
import {
  Integer,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

const { funnelWeeks, funnelItems } = operatorLimits;

export const FunnelQuery = RequestObject({
  ...optional({
    applicationId: UuidInput('Only this application.'),
    listing: Type.String({
      minLength: 1,
      maxLength: limits.nameLength,
      description: 'Only this home, by its slug or ID.',
    }),
    weeks: Type.Integer({
      minimum: 1,
      maximum: funnelWeeks.max,
      description: `How many weeks; ${funnelWeeks.default} if absent.`,
    }),
    to: KeptDate('A day of the last week; today if absent.'),
  }),
});

const views = Integer('Views of homes: signals `listing_viewed`, in the week of the signal.');

const fromQuotes = {
  quotes: Integer(
    'Quotes, in the week in which they were made. They are counted once they have expired.',
  ),
  checkouts: Integer('Those of them that became a checkout or a reservation request.'),
  submitted: Integer('Those of them that were submitted.'),
  confirmed: Integer('Those of them that were confirmed.'),
};

// The weeks before a date of 1900 are earlier than dates that a request may name.
const Monday = Type.String({ format: 'date', description: 'Its Monday, in UTC.' });

const counts = {
  searches: Integer('Searches that were answered, in their week; none for a single home.'),
  views,
  ...fromQuotes,
};

export const Funnel = ResponseObject(
  'Funnel',
  'How often each step from search to reservation was reached. Updated every minute.',
  {
    weeks: Type.Array(ResponseObject('FunnelWeek', { week: Monday, ...counts }), {
      description: 'Each week, oldest first.',
    }),
    applications: Type.Array(
      ResponseObject('FunnelApplication', {
        applicationId: Uuid('The application.'),
        application: Text('Its name.'),
        ...counts,
      }),
      { description: `By application, most quotes first, at most ${funnelItems}.` },
    ),
    homes: Type.Array(
      ResponseObject('FunnelHome', {
        listingId: Uuid('The home.'),
        slug: Nullable(Text('Null: the home no longer exists.')),
        name: Nullable(Type.String()),
        views,
        ...fromQuotes,
      }),
      {
        description: `The homes of one application, most quotes first, at most ${funnelItems}; empty without \`applicationId\`, or with \`listing\`. Beyond two million counts of homes by week, the latest weeks decide which homes are listed.`,
      },
    ),
    refusals: Type.Array(
      ResponseObject('FunnelRefusals', {
        step: Type.Enum(['search', 'quote', 'checkout', 'submit', 'confirm'], {
          description:
            'The call that was refused. `confirm`: a submitted booking that failed, in the week of its quote.',
        }),
        reason: Text(
          'The `reason` of the refusal, its code if it has none, or the failure of the booking.',
        ),
        refusals: Type.Integer(),
      }),
      { description: `Most first, at most ${funnelItems}.` },
    ),
  },
);
