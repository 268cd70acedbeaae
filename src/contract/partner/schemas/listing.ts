import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { Meta, NextCursor, Policy } from './primitives.ts';

const Time = (description: string) =>
  Type.String({
    pattern: patterns.timeOfDay.pattern,
    description: `${description} \`HH:MM\` at the property.`,
  });

const Image = Type.ResponseObject('Image', 'A picture of the home.', {
  url: Type.String({ format: 'uri' }),
  alt: Type.String(),
});

const Bed = Type.ResponseObject('Bed', 'Beds of one type in a room.', {
  type: Type.String(),
  quantity: Type.Integer({ exclusiveMinimum: 0 }),
});

const Geo = Type.ResponseObject('Geo', 'Where the home is, in degrees.', {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});

const Space = Type.ResponseObject('Space', 'A room of the home, with its beds.', {
  type: Type.String(),
  name: Type.Nullable(Type.String()),
  isPrivate: Type.Nullable(Type.Boolean()),
  beds: Type.Array(Bed),
});

/** What kind of home it is. Spec: LISTING-2. */
export const PropertyType = Type.OpenEnum(
  ['house', 'apartment', 'cabin', 'villa', 'boat', 'room', 'other'],
  'PropertyType',
  'What kind of home it is. New values may appear within a wire version: treat them as `other`.',
);

/** Spec: LISTING-2. */
export const Listing = Type.ResponseObject(
  'Listing',
  'A home that can be offered. It does not contain availability.',
  {
    listingId: Type.Uuid('Identifies the home.'),
    slug: Type.String({ minLength: 1 }),
    name: Type.String(),
    description: Type.Nullable(Type.String()),
    blurb: Type.Nullable(Type.String()),
    collectionId: Type.Nullable(Type.Uuid('The collection that it belongs to.')),
    timeZone: Type.Nullable(
      Type.String({ minLength: 1, description: 'IANA time zone of its dates.' }),
    ),
    destination: Type.Nullable(Type.String()),
    sleeps: Type.Nullable(Type.Integer({ exclusiveMinimum: 0 })),
    bedrooms: Type.Nullable(Type.Number({ minimum: 0 })),
    bathrooms: Type.Nullable(Type.Number({ minimum: 0 })),
    checkInFrom: Type.Nullable(Time('When guests may arrive.')),
    checkOutUntil: Type.Nullable(Time('When guests leave.')),
    images: Type.Array(Image),
    amenities: Type.Array(Type.String()),
    policies: Type.Array(Policy),
    spaces: Type.Array(Space),
    geo: Type.Nullable(Geo),
    indexable: Type.Flag('Whether search engines may index its pages.'),
    propertyType: Type.Nullable(PropertyType),
    registrationNumber: Type.Nullable(
      Type.Text('The number that the law wants shown with an offer.'),
    ),
    partyRules: Type.ResponseObject('PartyRules', 'Who may stay. A quote checks it.', {
      maxGuests: Type.Nullable(Type.Whole('The most adults and children. Null: not known.')),
      children: Type.Flag('Whether children are welcome.'),
      infants: Type.Flag('Whether infants are welcome.'),
      maxPets: Type.Whole('The most pets. 0: none.'),
    }),
    maxNights: Type.Nullable(
      Type.Whole('The longest stay, in nights, on dates without a rule of their own.'),
    ),
  },
);
export type Listing = Type.Static<typeof Listing>;

export const ListingPage = Type.ResponseObject(
  'ListingPage',
  'A page of homes, in a stable order.',
  {
    items: Type.Array(Listing),
    nextCursor: NextCursor,
    meta: Meta,
  },
);
