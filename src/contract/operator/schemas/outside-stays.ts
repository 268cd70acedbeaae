import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { ListingName, nights } from './homes.ts';
import { PageOf, pageQuery } from './shared.ts';

/** The name of a system that tells what was sold elsewhere. */
export const OutsideSource = (description: string) =>
  Type.GivenText(40, description, patterns.outsideSource);

export const source = OutsideSource('The system that sold it.');
export const externalId = Type.GivenText(200, 'Its name in that system.', patterns.lineOrEmpty);

export const NewOutsideStay = Type.RequestObject({
  listing: ListingName,
  ...nights,
  reason: Type.Optional(
    Type.Nullable(
      Type.String({
        maxLength: 500,
        pattern: patterns.lineOrEmpty.pattern,
        description: 'For staff only.',
      }),
    ),
  ),
});

const OutsideConflict = Type.ResponseObject(
  'OutsideConflict',
  'Nights of an outside stay that something else has.',
  {
    kind: Type.Enum(['reservation', 'block', 'channel', 'outside_stay'], {
      $id: 'OutsideConflictKind',
      description: 'What has the nights.',
    }),
    reference: Type.Optional(
      Type.Text(
        'Of a confirmed reservation; of an outside stay its source and name, as `pms/123`.',
      ),
    ),
    from: Type.KeptDate('The first night.'),
    to: Type.KeptDate('The day after the last night.'),
  },
);

export const OutsideStay = Type.ResponseObject('OutsideStay', 'Nights that were sold elsewhere.', {
  source: Type.Text('The system that sold it.'),
  externalId: Type.Text('Its name in that system.'),
  listingId: Type.Uuid('The home.'),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  reason: Type.Nullable(Type.Text('For staff.')),
  createdAt: Type.Instant('When it was first reported.'),
  updatedAt: Type.Instant('When it last changed.'),
  conflicts: Type.Array(OutsideConflict, { description: 'By date.' }),
});

export const OutsideStaysQuery = Type.RequestObject({
  source: Type.Optional(OutsideSource('Only of this system.')),
  listing: Type.Optional(ListingName),
  ...pageQuery,
});

export const OutsideStayPage = PageOf(
  OutsideStay,
  'OutsideStayPage',
  'Outside stays by source and name.',
);
