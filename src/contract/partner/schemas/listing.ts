import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  Flag,
  Integer,
  Meta,
  NextCursor,
  Nullable,
  OpenEnum,
  Policy,
  ResponseObject,
  Text,
  Uuid,
} from './primitives.ts';

const Time = (description: string) =>
  Type.String({
    pattern: patterns.timeOfDay.pattern,
    description: `${description} \`HH:MM\` at the property.`,
  });

const Image = ResponseObject('Image', 'A picture of the home.', {
  url: Type.String({ format: 'uri' }),
  alt: Type.String(),
});

const Bed = ResponseObject('Bed', 'Beds of one type in a room.', {
  type: Type.String(),
  quantity: Type.Integer({ exclusiveMinimum: 0 }),
});

const Geo = ResponseObject('Geo', 'Where the home is, in degrees.', {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});

const Space = ResponseObject('Space', 'A room of the home, with its beds.', {
  type: Type.String(),
  name: Nullable(Type.String()),
  isPrivate: Nullable(Type.Boolean()),
  beds: Type.Array(Bed),
});

/** What kind of home it is. Spec: LISTING-2. */
export const PropertyType = OpenEnum(
  ['house', 'apartment', 'cabin', 'villa', 'boat', 'room', 'other'],
  'PropertyType',
  'What kind of home it is. New values may appear within a wire version: treat them as `other`.',
);

/** Spec: LISTING-2. */
export const Listing = ResponseObject(
  'Listing',
  'A home that can be offered. It does not contain availability.',
  {
    listingId: Uuid('Identifies the home.'),
    slug: Type.String({ minLength: 1 }),
    name: Type.String(),
    description: Nullable(Type.String()),
    blurb: Nullable(Type.String()),
    collectionId: Nullable(Uuid('The collection that it belongs to.')),
    timeZone: Nullable(Type.String({ minLength: 1, description: 'IANA time zone of its dates.' })),
    destination: Nullable(Type.String()),
    sleeps: Nullable(Type.Integer({ exclusiveMinimum: 0 })),
    bedrooms: Nullable(Type.Number({ minimum: 0 })),
    bathrooms: Nullable(Type.Number({ minimum: 0 })),
    checkInFrom: Nullable(Time('When guests may arrive.')),
    checkOutUntil: Nullable(Time('When guests leave.')),
    images: Type.Array(Image),
    amenities: Type.Array(Type.String()),
    policies: Type.Array(Policy),
    spaces: Type.Array(Space),
    geo: Nullable(Geo),
    indexable: Flag('Whether search engines may index its pages.'),
    propertyType: Nullable(PropertyType),
    registrationNumber: Nullable(Text('The number that the law wants shown with an offer.')),
    partyRules: ResponseObject('PartyRules', 'Who may stay. A quote checks it.', {
      maxGuests: Nullable(Integer('The most adults and children. Null: not known.')),
      children: Flag('Whether children are welcome.'),
      infants: Flag('Whether infants are welcome.'),
      maxPets: Integer('The most pets. 0: none.'),
    }),
    maxNights: Nullable(
      Integer('The longest stay, in nights, on dates without a rule of their own.'),
    ),
  },
);
export type Listing = Type.Static<typeof Listing>;

export const ListingPage = ResponseObject('ListingPage', 'A page of homes, in a stable order.', {
  items: Type.Array(Listing),
  nextCursor: NextCursor,
  meta: Meta,
});
