/** Cancellation in a catalog file. */
import * as Type from '../type.ts';
import { Closed, Days, Name, Nights, Percent, LongText } from './values.ts';

/** The cancellation policy in the words of the operator. */
export const CancellationText = Closed(
  'The cancellation policy in the words of the operator. It stands in place of the text that is made from the entries; that of a home goes before that of the catalog.',
  { label: Name('Its title.'), body: LongText('Its text.') },
);

/** The short form of a cancellation rule. */
export const CancellationRule = Closed(
  'Of the entries that still apply, the one with the highest `daysBefore` is used.',
  {
    daysBefore: Days('A cancellation at least this many days before arrival …'),
    refundPercent: Percent('… refunds this percentage of the amount collected so far.'),
  },
);

/** The long form of a cancellation rule. */
export const KeepRule = Closed(
  'Until this instant the operator keeps this; after the last one, everything.',
  {
    until: Type.Optional(
      Closed('Either `daysBefore`, or `hoursBefore` and `of`. Absent: until check-in.', {
        daysBefore: Type.Optional(Days('The end of the day so many days before arrival.')),
        hoursBefore: Type.Optional(
          Type.WholeFrom(0, 8_760, 'So many hours before check-in: `checkInFrom`, or 15:00.'),
        ),
        of: Type.Optional(Type.Enum(['check_in'], { description: 'With `hoursBefore`.' })),
      }),
    ),
    keep: Closed('What the operator keeps: either `percent`, or `nights`.', {
      percent: Type.Optional(Percent('A percentage of `of`.')),
      of: Type.Optional(
        Type.Enum(['total', 'accommodation', 'collected'], { description: 'Absent: `total`.' }),
      ),
      nights: Type.Optional(Nights('The price of the first so many nights.')),
    }),
  },
);

export type KeepRule = Type.Static<typeof KeepRule>;
export type CancellationRule = Type.Static<typeof CancellationRule>;
