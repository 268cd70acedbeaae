import Type from 'typebox';
import { CatalogPromotion } from '../../catalog-file.ts';
import {
  Flag,
  Integer,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { Discovery } from '../../partner/schemas/site.ts';
import { CatalogSlug, DryRun } from './homes.ts';
import { expectedVersion, PageOf, pageQuery, shownVersion } from './shared.ts';

const ListedCatalog = ResponseObject(
  'ListedCatalog',
  'A catalog, its collections and what it sells.',
  {
    slug: Type.String(),
    catalogId: Uuid('Its ID.'),
    name: Type.String(),
    discovery: Discovery,
    listings: Type.Integer(),
    promotions: Type.Integer(),
    applications: Type.Integer(),
    collections: Type.Array(
      ResponseObject('ListedCollection', {
        collectionId: Uuid('Its ID.'),
        slug: Type.String(),
        name: Type.String(),
        description: Nullable(Type.String()),
      }),
    ),
  },
);

export const Catalogs = ResponseObject('Catalogs', 'By slug.', {
  items: Type.Array(ListedCatalog),
});

export const CatalogImport = RequestObject({
  file: Type.String({ minLength: 1, description: 'The text of a catalog file.' }),
  catalog: Type.Optional(CatalogSlug('Write this catalog, not the one that the file names.')),
  replace: Type.Optional(
    Flag('The file is the whole catalog: withdraw from sale what it does not name.'),
  ),
  dryRun: DryRun,
});

/** A member with its value before and after. */
export const MemberChange = ResponseObject('MemberChange', 'A member that changes; null: absent.', {
  path: Type.String(),
  from: Type.Unknown(),
  to: Type.Unknown(),
});

const ChangesOfKind = ResponseObject('ChangesOfKind', {
  added: Type.Integer(),
  changed: Type.Integer(),
  withdrawn: Type.Integer(),
  entries: Type.Array(
    ResponseObject('EntryChange', {
      change: Type.Enum(['added', 'changed', 'withdrawn']),
      name: Type.String(),
      currency: Nullable(Text('Of its amounts; null: it has none.')),
      members: Type.Array(MemberChange),
    }),
    { description: 'The first thousand.' },
  ),
});

export const CatalogImported = ResponseObject('CatalogImported', 'What the file changes.', {
  catalog: Type.String(),
  dryRun: Type.Boolean(),
  changes: ResponseObject('CatalogDifference', {
    catalog: ChangesOfKind,
    collections: ChangesOfKind,
    listings: ChangesOfKind,
    promotions: ChangesOfKind,
    blocks: ChangesOfKind,
    moved: Integer('Listings and collections with a new position.'),
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What is allowed, but perhaps not meant.',
  }),
});

export const PromotionsQuery = RequestObject({
  catalog: Type.Optional(CatalogSlug('Only of this catalog.')),
  ...pageQuery,
});

export const ListedPromotion = ResponseObject('ListedPromotion', 'A promotion and its uses.', {
  catalog: Text('Its catalog.'),
  uses: Integer('How often it is used, of `promotion.maxUses`.'),
  state: Type.Enum(['active', 'paused', 'ended'], { $id: 'PromotionState' }),
  promotion: CatalogPromotion,
  version: shownVersion,
});

export const PromotionPage = PageOf(ListedPromotion, 'PromotionPage', 'Promotions by code.');

export const NewPromotion = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  promotion: CatalogPromotion,
});

export const ChangedPromotion = RequestObject({ promotion: CatalogPromotion, ...expectedVersion });
