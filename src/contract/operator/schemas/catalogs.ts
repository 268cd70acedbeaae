import * as Type from '../../type.ts';
import { CatalogPromotion } from '../../catalog-file.ts';
import { Discovery } from '../../partner/schemas/site.ts';
import { CatalogSlug, DryRun } from './homes.ts';
import { expectedVersion, PageOf, pageQuery, shownVersion } from './shared.ts';

const ListedCatalog = Type.ResponseObject(
  'ListedCatalog',
  'A catalog, its collections and what it sells.',
  {
    slug: Type.String(),
    catalogId: Type.Uuid('Its ID.'),
    name: Type.String(),
    discovery: Discovery,
    listings: Type.Integer(),
    promotions: Type.Integer(),
    applications: Type.Integer(),
    collections: Type.Array(
      Type.ResponseObject('ListedCollection', {
        collectionId: Type.Uuid('Its ID.'),
        slug: Type.String(),
        name: Type.String(),
        description: Type.Nullable(Type.String()),
      }),
    ),
  },
);

export const Catalogs = Type.ListOf(ListedCatalog, 'Catalogs', 'By slug.');

export const CatalogImport = Type.RequestObject({
  file: Type.String({ minLength: 1, description: 'The text of a catalog file.' }),
  catalog: Type.Optional(CatalogSlug('Write this catalog, not the one that the file names.')),
  replace: Type.Optional(
    Type.Flag('The file is the whole catalog: withdraw from sale what it does not name.'),
  ),
  dryRun: DryRun,
});

/** A member with its value before and after. */
export const MemberChange = Type.ResponseObject(
  'MemberChange',
  'A member that changes; null: absent.',
  {
    path: Type.String(),
    from: Type.Unknown(),
    to: Type.Unknown(),
  },
);

const ChangesOfKind = Type.ResponseObject('ChangesOfKind', {
  added: Type.Integer(),
  changed: Type.Integer(),
  withdrawn: Type.Integer(),
  entries: Type.Array(
    Type.ResponseObject('EntryChange', {
      change: Type.Enum(['added', 'changed', 'withdrawn']),
      name: Type.String(),
      currency: Type.Nullable(Type.Text('Of its amounts; null: it has none.')),
      members: Type.Array(MemberChange),
    }),
    { description: 'The first thousand.' },
  ),
});

export const CatalogImported = Type.ResponseObject('CatalogImported', 'What the file changes.', {
  catalog: Type.String(),
  dryRun: Type.Boolean(),
  changes: Type.ResponseObject('CatalogDifference', {
    catalog: ChangesOfKind,
    collections: ChangesOfKind,
    listings: ChangesOfKind,
    promotions: ChangesOfKind,
    blocks: ChangesOfKind,
    moved: Type.Whole('Listings and collections with a new position.'),
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What is allowed, but perhaps not meant.',
  }),
});

export const PromotionsQuery = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('Only of this catalog.')),
  ...pageQuery,
});

export const ListedPromotion = Type.ResponseObject('ListedPromotion', 'A promotion and its uses.', {
  catalog: Type.Text('Its catalog.'),
  uses: Type.Whole('How often it is used, of `promotion.maxUses`.'),
  state: Type.Enum(['active', 'paused', 'ended'], { $id: 'PromotionState' }),
  promotion: CatalogPromotion,
  version: shownVersion,
});

export const PromotionPage = PageOf(ListedPromotion, 'PromotionPage', 'Promotions by code.');

export const NewPromotion = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  promotion: CatalogPromotion,
});

export const ChangedPromotion = Type.RequestObject({
  promotion: CatalogPromotion,
  ...expectedVersion,
});
