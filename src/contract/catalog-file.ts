/**
 * The catalog file, `latchkey-catalog/1`: the operator's homes, prices and rules as one JSON document.
 * An external interface: names and meanings do not change; additions are possible.
 */
import * as Type from './type.ts';
import { Discovery } from './partner/schemas/site.ts';
import { CancellationText } from './catalog-file/cancellation.ts';
import { Policy } from './catalog-file/content.ts';
import { CatalogListing } from './catalog-file/listing.ts';
import { CatalogPromotion } from './catalog-file/promotion.ts';
import { Closed, Date, Name, OrNull, Slug, LongText, Uuid } from './catalog-file/values.ts';

export type { CancellationRule, KeepRule } from './catalog-file/cancellation.ts';
export type { Fee, Tax } from './catalog-file/charges.ts';
export { type DatedRate, mostDates, type Rates, type Season } from './catalog-file/rates.ts';
export { largestAmount } from './catalog-file/values.ts';
export type { When } from './catalog-file/when.ts';
export { CatalogListing, CatalogPromotion };

/** The value of `format` in a catalog file. */
export const catalogFormat = 'latchkey-catalog/1';

const Collection = Closed('Homes that belong together.', {
  slug: Slug('Its identity in the catalog.'),
  collectionId: Type.Optional(Uuid('Assigned at the first import and never changed.')),
  name: Name('Its name.'),
  description: OrNull(LongText('Which homes belong to it.')),
});

const Trader = Closed('Who sells the stays, as the law wants it shown.', {
  name: Name('Its name.'),
  address: Type.GivenText(1_000, 'Its address.'),
  email: OrNull(Type.String({ minLength: 3, maxLength: 254, description: 'Its email address.' })),
  phone: OrNull(Type.GivenText(50, 'Its phone number.')),
  registrationNumber: OrNull(Name('Its number in a register of traders or taxes.')),
});

const Catalog = Closed('The catalog as partners see it.', {
  slug: Slug('Its identity in the installation.'),
  name: Name('The name that partners read.'),
  discovery: Discovery,
  policies: Type.Optional(Type.Array(Policy)),
  standards: Type.Optional(Type.Array(Policy)),
  trader: OrNull(Trader),
  cancellationText: OrNull(CancellationText),
  collections: Type.Optional(Type.Array(Collection)),
});

/** Nights that are not for sale. */
export const CatalogBlock = Closed('Nights that are not for sale.', {
  listing: Slug('The home.'),
  from: Date('First night.'),
  to: Date('The day after the last night.'),
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'For the operator.' })),
});

/** The head of a catalog file: everything except its lists. */
export const CatalogHead = Closed('Format and catalog.', {
  format: Type.Literal(catalogFormat),
  catalog: Catalog,
});

/** The whole catalog file. */
export const CatalogFile = Type.Object(
  {
    ...CatalogHead.properties,
    listings: Type.Optional(Type.Array(CatalogListing)),
    blocks: Type.Optional(Type.Array(CatalogBlock)),
    promotions: Type.Optional(Type.Array(CatalogPromotion)),
  },
  {
    $id: 'CatalogFile',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: catalogFormat,
    description: 'The homes of an operator, with prices and rules.',
    additionalProperties: false,
  },
);

/**
 * The JSON Schema of a catalog file as `GET /catalog.schema.json` publishes it: in one piece, without names.
 * Spec: FILE-12.
 */
export const catalogSchema = (): string =>
  JSON.stringify(CatalogFile, (key, value: unknown) => (key === '$id' ? undefined : value), 2);

export type CatalogHead = Type.Static<typeof CatalogHead>;
export type CatalogBlock = Type.Static<typeof CatalogBlock>;
export type CatalogFile = Type.Static<typeof CatalogFile>;
export type Trader = Type.Static<typeof Trader>;
