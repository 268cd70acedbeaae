/** A home in a catalog file. */
import * as Type from '../type.ts';
import { PropertyType } from '../partner/schemas/listing.ts';
import { patterns } from '../patterns.ts';
import { CancellationRule, CancellationText, KeepRule } from './cancellation.ts';
import { Fee, Tax } from './charges.ts';
import { Address, Image, Policy, Space } from './content.ts';
import { Payment, SecurityDeposit } from './payment.ts';
import { Rates } from './rates.ts';
import { PartyRules, StayRules } from './stay-rules.ts';
import { Closed, Days, Name, OrNull, Slug, LongText, Time, Uuid } from './values.ts';

/** A home in a catalog file. */
export const CatalogListing = Type.RequestObject(
  'CatalogListing',
  'A home, its prices and its rules.',
  {
    slug: Slug('Its identity in the installation.'),
    listingId: Type.Optional(Uuid('Assigned at the first import and never changed.')),
    name: Name('Its name.'),
    propertyType: OrNull(Type.KnownValue(PropertyType)),
    registration: OrNull(
      Closed('Its registration.', {
        number: Name('The number that the law wants shown with an offer.'),
      }),
    ),
    address: OrNull(Address),
    arrivalInstructions: OrNull(
      LongText('For guests, from the confirmation of their stay on: keys, parking, the way.'),
    ),
    description: OrNull(LongText('Its description.')),
    blurb: OrNull(LongText('The description in one sentence.')),
    collection: OrNull(Slug('The collection that it belongs to.')),
    timeZone: OrNull(Name('IANA time zone of its dates. Absent: UTC.')),
    destination: OrNull(Name('Where it is.')),
    sleeps: OrNull(Type.Integer({ minimum: 1, maximum: 1_000 })),
    bedrooms: OrNull(Type.Number({ minimum: 0, maximum: 1_000 })),
    bathrooms: OrNull(Type.Number({ minimum: 0, maximum: 1_000 })),
    checkInFrom: OrNull(Time('When guests may arrive.')),
    checkOutUntil: OrNull(Time('When guests leave.')),
    images: Type.Optional(Type.Array(Image)),
    amenities: Type.Optional(Type.Array(Name('An amenity.'))),
    policies: Type.Optional(
      Type.Array(Policy, {
        description:
          'Policies that the guest accepts. Latchkey adds the policy "Cancellation", made from `cancellation`, or `cancellationText` in its place.',
      }),
    ),
    spaces: Type.Optional(Type.Array(Space)),
    geo: OrNull(
      Closed('Where it is.', {
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
      }),
    ),
    indexable: Type.Optional(Type.Flag('Whether search engines may index it. Absent: true.')),
    currency: Type.String({ pattern: patterns.currency.pattern, description: 'ISO 4217.' }),
    rates: Rates,
    fees: Type.Optional(Type.Array(Fee, { maxItems: 100 })),
    taxes: Type.Optional(Type.Array(Tax, { maxItems: 100 })),
    payment: Type.Optional(Payment),
    stayRules: Type.Optional(StayRules),
    party: Type.Optional(PartyRules),
    securityDeposit: OrNull(SecurityDeposit),
    cancellation: Type.Optional(
      Type.Array(Type.Union([CancellationRule, KeepRule]), {
        maxItems: 100,
        description: 'Entries of one form only.',
      }),
    ),
    cancellationGrace: OrNull(
      Closed("Within so many hours of the quote's creation everything is refunded.", {
        hours: Type.Integer({ minimum: 1, maximum: 8_760 }),
        ifDaysAhead: Type.Optional(
          Days('Only if arrival is at least so many days ahead of the quote. Absent: 0.'),
        ),
      }),
    ),
    cancellationAlwaysRefunds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 200,
        uniqueItems: true,
        description:
          'Lines of which nothing is ever kept: `cleaning`, `fees`, `taxes`, or an `id`.',
      }),
    ),
    cancellationText: OrNull(CancellationText),
  },
);

export type CatalogListing = Type.Static<typeof CatalogListing>;
