import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  responseOptions,
  Meta,
  NextCursor,
  Nullable,
  OpenEnum,
  Policy,
  Uuid,
} from './primitives.ts';

const Time = (description: string) =>
  Type.String({
    pattern: patterns.timeOfDay.pattern,
    description: `${description} \`HH:MM\` at the property.`,
  });

const Image = Type.Object(
  { url: Type.String({ format: 'uri' }), alt: Type.String() },
  responseOptions('Image', 'A picture of the home.'),
);

const Bed = Type.Object(
  { type: Type.String(), quantity: Type.Integer({ exclusiveMinimum: 0 }) },
  responseOptions('Bed', 'Beds of one type in a room.'),
);

const Geo = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  },
  responseOptions('Geo', 'Where the home is, in degrees.'),
);

const Space = Type.Object(
  {
    type: Type.String(),
    name: Nullable(Type.String()),
    isPrivate: Nullable(Type.Boolean()),
    beds: Type.Array(Bed),
  },
  responseOptions('Space', 'A room of the home, with its beds.'),
);

/** What kind of home it is. Spec: LISTING-2. */
export const PropertyType = OpenEnum(
  ['house', 'apartment', 'cabin', 'villa', 'boat', 'room', 'other'],
  'PropertyType',
  'What kind of home it is. New values may appear within a wire version: treat them as `other`.',
);

/** Spec: LISTING-2. */
export const Listing = Type.Object(
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
    indexable: Type.Boolean({ description: 'Whether search engines may index its pages.' }),
    propertyType: Nullable(PropertyType),
    registrationNumber: Nullable(
      Type.String({ description: 'The number that the law wants shown with an offer.' }),
    ),
    partyRules: Type.Object(
      {
        maxGuests: Nullable(
          Type.Integer({ description: 'The most adults and children. Null: not known.' }),
        ),
        children: Type.Boolean({ description: 'Whether children are welcome.' }),
        infants: Type.Boolean({ description: 'Whether infants are welcome.' }),
        maxPets: Type.Integer({ description: 'The most pets. 0: none.' }),
      },
      responseOptions('PartyRules', 'Who may stay. A quote checks it.'),
    ),
    maxNights: Nullable(
      Type.Integer({
        description: 'The longest stay, in nights, on dates without a rule of their own.',
      }),
    ),
  },
  responseOptions('Listing', 'A home that can be offered. It does not contain availability.'),
);
export type Listing = Type.Static<typeof Listing>;

export const ListingPage = Type.Object(
  { items: Type.Array(Listing), nextCursor: NextCursor, meta: Meta },
  responseOptions('ListingPage', 'A page of homes, in a stable order.'),
);
