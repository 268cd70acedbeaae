import { OperatorRefusal } from '../../access/index.ts';
import {
  addPromotion,
  changePromotion,
  endPromotion,
  exportCatalog,
  importCatalog,
  listCatalogs,
  listPromotionsOf,
  readCatalogs,
  textSource,
} from '../../catalog/index.ts';
import { blockImport, readFileBlocks } from '../../inventory/index.ts';
import { catalogProblems } from '../file-problems.ts';
import { act } from '../kinds.ts';

/** Lists catalogs with their collections. */
export const listAllCatalogs = act('operator.catalog.list', {
  async reply({ context }) {
    const [records, catalogs] = await context.reads.run((from) =>
      Promise.all([readCatalogs(from), listCatalogs(from)]),
    );
    const collections = new Map(records.map((record) => [record.catalogId, record.collections]));
    const items = catalogs.map((catalog) => ({
      ...catalog,
      collections: collections.get(catalog.catalogId) ?? [],
    }));
    return { status: 200, body: { items } };
  },
});

/** Imports a catalog file, or shows what it would change. */
export const importCatalogFile = act('operator.catalog.import', {
  async reply({ context, actor, body }) {
    const { file, catalog: slug, replace = false, dryRun = false } = body;
    const result = await importCatalog(context.database, textSource(file), {
      mode: replace ? 'replace' : 'merge',
      dryRun,
      slug,
      actor: actor.name,
      blocks: context.environment === 'simulation' ? null : blockImport,
    });
    if ('problems' in result) return catalogProblems(result.problems);
    await context.catalog.follow();
    const { catalog, difference } = result;
    return { status: 200, body: { catalog, dryRun, changes: difference } };
  },
});

const mostExported = 20_000;

/** Exports a catalog as a catalog file. */
export const exportCatalogFile = act('operator.catalog.export', {
  async reply({ context: { database }, params: { catalog: slug } }) {
    const catalogs = await listCatalogs(database);
    const { listings = 0 } = catalogs.find((each) => each.slug === slug) ?? {};
    if (listings > mostExported) {
      throw new OperatorRefusal(
        `${slug} has more than ${mostExported} homes: latchkey catalog export --catalog ${slug}.`,
      );
    }
    const pieces: Buffer[] = [];
    await exportCatalog(database, slug, readFileBlocks, async (text) => {
      pieces.push(Buffer.from(text));
    });
    return { status: 200, bytes: pieces };
  },
});

/** Lists promotions. */
export const listPromotions = act('operator.promotion.list', {
  async reply({ context, query: { limit, cursor, catalog } }) {
    const body = await context.reads.run((from) =>
      listPromotionsOf(from, { catalog }, { limit, cursor }),
    );
    return { status: 200, body };
  },
});

/** Adds a promotion. */
export const addPromotionOf = act('operator.promotion.add', {
  async reply({ context, actor, body }) {
    return { status: 201, body: await addPromotion(context.database, actor.name, body) };
  },
});

/** Changes a promotion. */
export const changePromotionOf = act('operator.promotion.change', {
  async reply({ context, actor, params, body }) {
    const change = { ...params, ...body };
    return { status: 200, body: await changePromotion(context.database, actor.name, change) };
  },
});

/** Ends a promotion. */
export const endPromotionOf = act('operator.promotion.end', {
  async reply({ context, actor, params }) {
    return { status: 200, body: await endPromotion(context.database, actor.name, params.code) };
  },
});
