import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  Instant,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { ListingName, nights } from './homes.ts';
import { KeptDate, PageOf, pageQuery } from './shared.ts';

/** The name of a system that tells what was sold elsewhere. */
export const OutsideSource = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: patterns.outsideSource.pattern,
    description,
  });

export const source = OutsideSource('The system that sold it.');
export const externalId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: patterns.lineOrEmpty.pattern,
  description: 'Its name in that system.',
});

export const NewOutsideStay = RequestObject({
  listing: ListingName,
  ...nights,
  reason: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 500,
        pattern: patterns.lineOrEmpty.pattern,
        description: 'For staff only.',
      }),
    ),
  ),
});

const OutsideConflict = ResponseObject(
  'OutsideConflict',
  'Nights of an outside stay that something else has.',
  {
    kind: Type.Enum(['reservation', 'block', 'channel', 'outside_stay'], {
      $id: 'OutsideConflictKind',
      description: 'What has the nights.',
    }),
    reference: Type.Optional(
      Text('Of a confirmed reservation; of an outside stay its source and name, as `pms/123`.'),
    ),
    from: KeptDate('The first night.'),
    to: KeptDate('The day after the last night.'),
  },
);

export const OutsideStay = ResponseObject('OutsideStay', 'Nights that were sold elsewhere.', {
  source: Text('The system that sold it.'),
  externalId: Text('Its name in that system.'),
  listingId: Uuid('The home.'),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  reason: Nullable(Text('For staff.')),
  createdAt: Instant('When it was first told.'),
  updatedAt: Instant('When it last changed.'),
  conflicts: Type.Array(OutsideConflict, { description: 'By date.' }),
});

export const OutsideStaysQuery = RequestObject({
  source: Type.Optional(OutsideSource('Only of this system.')),
  listing: Type.Optional(ListingName),
  ...pageQuery,
});

export const OutsideStayPage = PageOf(
  OutsideStay,
  'OutsideStayPage',
  'Outside stays by source and name.',
);
