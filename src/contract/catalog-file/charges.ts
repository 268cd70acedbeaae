/** Fees and taxes in a catalog file. */
import * as Type from '../type.ts';
import { Amount, Closed, Name, Nights, Percent, Slug } from './values.ts';
import { When } from './when.ts';

const Age = Type.Optional(Type.Integer({ minimum: 0, maximum: 150 }));
const Who = Type.Optional(
  Closed('Whom it counts. Absent: adults and children.', {
    ages: Closed(
      'From and to this age at check-in, included. Adults count as 18, infants as 0. A child whose age was not sent counts if the range holds an age from 2 to 17.',
      { from: Age, to: Age },
    ),
  }),
);

const LineId = Type.Optional(Slug('A name within the listing, for `on` of later lines.'));
const On = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description:
      'What the percentage is of: `accommodation` (with discounts and promotion taken off), `cleaning`, `fees` (the other fees, without those that are `taxed: false`), or the `id` of a fee or tax before this one. A second mention changes nothing.',
  }),
);
const lineMembers = {
  id: LineId,
  label: Name('The label of its line.'),
  when: When,
  who: Who,
  ...Type.AllOptional({
    maxNights: Nights(
      'Counts at most the first so many nights of the stay. Only with what is per night.',
    ),
    fromNight: Nights('Counts only from this night of the stay on. Only with what is per night.'),
    net: Type.Flag('true: the percentage is of the lines without the taxes that they contain.'),
    payAt: Type.Enum(['property'], {
      $id: 'PayAt',
      description: 'Due at the property on the day of arrival; Latchkey never collects it.',
    }),
  }),
};

/** A charge in addition to accommodation. */
export const Fee = Closed(
  'A charge in addition to accommodation: `per` and `amount`, or `percent` and `on`. Guests are adults and children.',
  {
    ...lineMembers,
    kind: Type.Enum(['cleaning', 'fee']),
    ...Type.AllOptional({
      per: Type.Enum(['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'], {
        description: 'Together with `amount`.',
      }),
      amount: Amount('The amount per unit of `per`.'),
      percent: Percent('In place of `per` and `amount`: a percentage of what `on` names.'),
    }),
    on: On,
    fromGuest: Type.Optional(
      Type.WholeFrom(
        1,
        1_000,
        'The first guest that is charged. Only with `guest` and `guest_night`.',
      ),
    ),
    taxed: Type.Optional(
      Type.Flag('false: not a part of `cleaning` and `fees` in `on`. Absent: true.'),
    ),
  },
);

/** A tax. */
export const Tax = Closed(
  'A tax: `on` and `percent`, or `per` and `amount`; for each guest and night also `per`, `on` and `percent`, or `per` and `tiers`.',
  {
    ...lineMembers,
    on: On,
    ...Type.AllOptional({
      percent: Percent(
        'A percentage of what `on` names; with `per: guest_night` of the share of one guest in one night.',
      ),
      per: Type.Enum(['stay', 'night', 'guest', 'guest_night'], {
        description: 'The unit of `amount`; with `percent` and `tiers` only `guest_night`.',
      }),
      amount: Amount('The amount per unit of `per`.'),
      maxAmount: Amount('With `percent` and `per`: the most for one guest and night.'),
      tiers: Type.Array(
        Closed('A step.', {
          from: Amount('The least share of one guest in one night of the accommodation.'),
          amount: Amount('The amount for this guest and night.'),
        }),
        {
          minItems: 1,
          maxItems: 100,
          description:
            'The amount of the last step that is not above the share of one guest in one night.',
        },
      ),
      included: Type.Flag(
        'true: the prices contain this tax, so nothing is added. Only percentages.',
      ),
      adultsOnly: Type.Flag(
        'The older form of `who`: from 18. Only with `guest` and `guest_night`.',
      ),
      fromGuest: Type.WholeFrom(
        1,
        1_000,
        'The first guest that is charged. Only with `guest` and `guest_night`.',
      ),
      staysUpToNights: Nights(
        'Not charged on longer stays. The older form of `when.stayNights.max`.',
      ),
    }),
  },
);

export type Fee = Type.Static<typeof Fee>;
export type Tax = Type.Static<typeof Tax>;
