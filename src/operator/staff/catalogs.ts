/** What staff do with whole catalogs. They have blocks, which the catalog itself does not know. */
import { preparedBody, staffActs } from '../../api/staff-acts.ts';
import {
  catalogProblems,
  exportCatalog,
  importCatalog,
  listCatalogs,
  readCatalogs,
  textSource,
} from '../../catalog/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { refuseConflict, refuseOperator } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { blockImport, readFileBlocks } from '../../inventory/index.ts';
import type { CommandLineContext } from '../context.ts';

type Imported = Exclude<Awaited<ReturnType<typeof importCatalog>>, { problems: unknown }>;

const mostExported = 20_000;

async function catalogsWithCollections(executor: Executor) {
  const storedCatalogs = await readCatalogs(executor);
  const collections = new Map(
    storedCatalogs.map((storedCatalog) => [storedCatalog.catalogId, storedCatalog.collections]),
  );
  return (await listCatalogs(executor)).map((catalog) => ({
    ...catalog,
    collections: collections.get(catalog.catalogId) ?? [],
  }));
}

const changesPromotions = ({ difference: { promotions } }: Imported): boolean =>
  promotions.added + promotions.changed > 0;

const promotionsOutlive = {
  ...refuseOperator('forbidden', 'step_up'),
  message:
    'The file adds or changes promotions, which would outlive the token: a member of staff imports it, or the command line.',
};

/** Catalogs: listed, imported, exported. */
export const catalogActs = staffActs<CommandLineContext>()({
  'operator.catalog.list': async ({ context }) => ({
    items: await context.reads.run(catalogsWithCollections),
  }),
  'operator.catalog.import': async ({ context, actor, body }) => {
    const { file, catalog: slug, replace = false, dryRun = false } = body;
    const imported = (isPreview: boolean) =>
      importCatalog(context.database, textSource(file), {
        mode: replace ? 'replace' : 'merge',
        dryRun: isPreview,
        slug,
        actor: actor.name,
        blocks: context.environment === 'simulation' ? null : blockImport,
      });
    if (actor.isToken) {
      const preview = await imported(true);
      if (!('problems' in preview) && changesPromotions(preview)) return promotionsOutlive;
    }
    const result = await imported(dryRun);
    if ('problems' in result) return catalogProblems(result.problems);
    await context.catalog.followSoon();
    const { catalog, difference, warnings } = result;
    return { catalog, dryRun, changes: difference, warnings };
  },
  'operator.catalog.export': async ({ context: { database }, params: { catalog: slug } }) => {
    const catalogs = await listCatalogs(database);
    const { listings = 0 } = catalogs.find((each) => each.slug === slug) ?? {};
    if (listings > mostExported) {
      return refuseConflict(
        `${slug} has more than ${mostExported} homes: latchkey catalog export --catalog ${slug}.`,
      );
    }
    const pieces: Buffer[] = [];
    const exported = await exportCatalog(database, slug, readFileBlocks, async (text) => {
      pieces.push(Buffer.from(text));
    });
    return isRefusal(exported) ? exported : preparedBody(pieces);
  },
});
