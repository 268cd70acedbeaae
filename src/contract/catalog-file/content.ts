/** Texts, pictures and rooms in a catalog file. */
import Type from 'typebox';
import { patterns } from '../patterns.ts';
import { closed, Name, OrNull, Text } from './values.ts';

/** A text for guests. */
export const Policy = Type.Object(
  { label: Name('Its title.'), body: Text('Its text.') },
  closed('A text for guests.'),
);

/** A picture. */
export const Image = Type.Union(
  [
    Type.Object(
      {
        url: Type.String({ pattern: patterns.secureUrl.pattern, format: 'uri', maxLength: 2_000 }),
        alt: Type.String({ maxLength: 500 }),
      },
      closed('A picture on the web.'),
    ),
    Type.Object(
      {
        file: Type.String({
          pattern: patterns.file.pattern,
          maxLength: 500,
          description: 'Relative to the catalog file.',
        }),
        alt: Type.String({ maxLength: 500 }),
      },
      closed('A picture stored with the catalog file.'),
    ),
  ],
  { description: 'A picture: either `url` or `file`.' },
);

/** A room of the home. */
export const Space = Type.Object(
  {
    type: Name('The kind of room.'),
    name: OrNull(Type.String({ maxLength: 200 })),
    isPrivate: OrNull(Type.Boolean()),
    beds: Type.Optional(
      Type.Array(
        Type.Object(
          { type: Name('The kind of bed.'), quantity: Type.Integer({ minimum: 1 }) },
          closed('Beds of one kind.'),
        ),
      ),
    ),
  },
  closed('A room of the home.'),
);

/** Where a home is. */
export const Address = Type.Object(
  {
    lines: Type.Array(Name('A line.'), { maxItems: 10 }),
    postalCode: OrNull(Name('The postal code.')),
    city: OrNull(Name('The town.')),
    region: OrNull(Name('The region.')),
    country: Type.String({
      pattern: patterns.country.pattern,
      description: 'ISO 3166-1, two letters.',
    }),
  },
  closed('Where it is. Guests read it from the confirmation of their stay on.'),
);
