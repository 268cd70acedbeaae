import Type from 'typebox';
import { CatalogPromotion } from '../../catalog-file.ts';
import { Nullable, Uuid } from '../../partner/schemas/primitives.ts';
import { Discovery } from '../../partner/schemas/site.ts';
import { CatalogSlug, DryRun } from './homes.ts';
import { expectedVersion, PageOf, pageQuery, shownVersion } from './shared.ts';

const ListedCatalog = Type.Object(
  {
    slug: Type.String(),
    catalogId: Uuid('Its ID.'),
    name: Type.String(),
    discovery: Discovery,
    listings: Type.Integer(),
    promotions: Type.Integer(),
    applications: Type.Integer(),
    collections: Type.Array(
      Type.Object(
        {
          collectionId: Uuid('Its ID.'),
          slug: Type.String(),
          name: Type.String(),
          description: Nullable(Type.String()),
        },
        { $id: 'ListedCollection' },
      ),
    ),
  },
  { $id: 'ListedCatalog', description: 'A catalog, its collections and what it sells.' },
);

export const Catalogs = Type.Object(
  { items: Type.Array(ListedCatalog) },
  { $id: 'Catalogs', description: 'By slug.' },
);

export const CatalogParams = Type.Object({ catalog: CatalogSlug('The catalog, by its slug.') });

export const CatalogImport = Type.Object(
  {
    file: Type.String({ minLength: 1, description: 'The text of a catalog file.' }),
    catalog: Type.Optional(CatalogSlug('Write this catalog, not the one that the file names.')),
    replace: Type.Optional(
      Type.Boolean({
        description: 'The file is the whole catalog: withdraw from sale what it does not name.',
      }),
    ),
    dryRun: DryRun,
  },
  { additionalProperties: false },
);

/** A member with its value before and after. */
export const MemberChange = Type.Object(
  { path: Type.String(), from: Type.Unknown(), to: Type.Unknown() },
  { $id: 'MemberChange', description: 'A member that changes; null: absent.' },
);

const ChangesOfKind = Type.Object(
  {
    added: Type.Integer(),
    changed: Type.Integer(),
    withdrawn: Type.Integer(),
    entries: Type.Array(
      Type.Object(
        {
          change: Type.Enum(['added', 'changed', 'withdrawn']),
          name: Type.String(),
          currency: Nullable(Type.String({ description: 'Of its amounts; null: it has none.' })),
          members: Type.Array(MemberChange),
        },
        { $id: 'EntryChange' },
      ),
      { description: 'The first thousand.' },
    ),
  },
  { $id: 'ChangesOfKind' },
);

export const CatalogImported = Type.Object(
  {
    catalog: Type.String(),
    dryRun: Type.Boolean(),
    changes: Type.Object(
      {
        catalog: ChangesOfKind,
        collections: ChangesOfKind,
        listings: ChangesOfKind,
        promotions: ChangesOfKind,
        blocks: ChangesOfKind,
        moved: Type.Integer({ description: 'Listings and collections with a new position.' }),
      },
      { $id: 'CatalogDifference' },
    ),
    warnings: Type.Array(Type.String(), {
      description: 'What is allowed, but perhaps not meant.',
    }),
  },
  { $id: 'CatalogImported', description: 'What the file changes.' },
);

export const PromotionsQuery = Type.Object(
  {
    catalog: Type.Optional(CatalogSlug('Only of this catalog.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export const ListedPromotion = Type.Object(
  {
    catalog: Type.String({ description: 'Its catalog.' }),
    uses: Type.Integer({ description: 'How often it is used, of `promotion.maxUses`.' }),
    state: Type.Enum(['active', 'paused', 'ended'], { $id: 'PromotionState' }),
    promotion: CatalogPromotion,
    version: shownVersion,
  },
  { $id: 'ListedPromotion', description: 'A promotion and its uses.' },
);

export const PromotionPage = PageOf(ListedPromotion, 'PromotionPage', 'Promotions by code.');

export const PromotionParams = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64, description: 'The code.' }),
});

export const NewPromotion = Type.Object(
  {
    catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
    promotion: CatalogPromotion,
  },
  { additionalProperties: false },
);

export const ChangedPromotion = Type.Object(
  { promotion: CatalogPromotion, ...expectedVersion },
  { additionalProperties: false },
);
