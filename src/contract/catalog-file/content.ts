/** Texts, pictures and rooms in a catalog file. */
import * as Type from '../type.ts';
import { patterns } from '../patterns.ts';
import { Closed, Name, OrNull, LongText } from './values.ts';

/** A text for guests. */
export const Policy = Closed('A text for guests.', {
  label: Name('Its title.'),
  body: LongText('Its text.'),
});

/** A picture. */
export const Image = Type.Union(
  [
    Closed('A picture on the web.', {
      url: Type.String({ pattern: patterns.secureUrl.pattern, format: 'uri', maxLength: 2_000 }),
      alt: Type.String({ maxLength: 500 }),
    }),
    Closed('A picture stored with the catalog file.', {
      file: Type.String({
        pattern: patterns.file.pattern,
        maxLength: 500,
        description: 'Relative to the catalog file.',
      }),
      alt: Type.String({ maxLength: 500 }),
    }),
  ],
  { description: 'A picture: either `url` or `file`.' },
);

/** A room of the home. */
export const Space = Closed('A room of the home.', {
  type: Name('The kind of room.'),
  name: OrNull(Type.String({ maxLength: 200 })),
  isPrivate: OrNull(Type.Boolean()),
  beds: Type.Optional(
    Type.Array(
      Closed('Beds of one kind.', {
        type: Name('The kind of bed.'),
        quantity: Type.Integer({ minimum: 1 }),
      }),
    ),
  ),
});

/** Where a home is. */
export const Address = Closed(
  'Where it is. Guests read it from the confirmation of their stay on.',
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
);
