import { instant } from '../../contract/time.ts';
import {
  type Application,
  applicationView,
  conformanceView,
  createApplication,
  findApplication,
  findLastRun,
  listApplications,
  newApplicationView,
  noApplication,
  type PageRequest,
  pageForStaff,
  type Quotas,
  resumeApplication,
  setApplication,
  setQuotas,
  suspendApplication,
} from '../../access/index.ts';
import { countReservationsOfToday, countTodaysReservations } from '../../bookings/index.ts';
import { catalogFor, readCatalogs } from '../../catalog/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { type OperatorErrorCode, refuseOperator } from '../../contract/operator/errors.ts';
import { tiers } from '../../contract/limits.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { readLastCalls } from '../../request-log/index.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { CommandLineContext } from '../context.ts';

const slugsOf = async (database: Executor): Promise<Map<string, string>> =>
  new Map((await readCatalogs(database)).map(({ catalogId, slug }) => [catalogId, slug]));

const shown = async <Code extends OperatorErrorCode>(
  database: Database,
  application: Application | Refusal<Code>,
) => (isRefusal(application) ? application : applicationView(application, await slugsOf(database)));

/** Applications with what says whether they are in use and their webhooks arrive. */
async function withUse(from: Executor, found: Awaited<ReturnType<typeof listApplications>>) {
  const [slugs, failing] = await Promise.all([
    slugsOf(from),
    listFailingEndpoints(from, operatorLimits.overviewCount),
  ]);
  const ids = found.map(({ applicationId }) => applicationId);
  const lastCalls = await readLastCalls(from, ids);
  const failingOf = Map.groupBy(failing, ({ applicationId }) => applicationId);
  return found.map((one) => ({
    ...applicationView(one, slugs),
    lastCallAt: instant(lastCalls.get(one.applicationId) ?? null),
    failingEndpoints: failingOf.get(one.applicationId)?.length ?? 0,
  }));
}

async function listedApplications(from: Executor, page: PageRequest) {
  const found = await pageForStaff(
    from.vault,
    {
      operation: 'staff.application.list',
      filters: {},
      read: (after: string | null, atMost) => listApplications(from, after, atMost),
      positionOf: ({ applicationId }) => applicationId,
    },
    { limit: operatorLimits.longPageSize.default, ...page },
  );
  return isRefusal(found) ? found : { ...found, items: await withUse(from, found.items) };
}

/** How much of each quota is left. */
const quotaUse = (quotas: Pick<Quotas, 'state'>, application: Application) =>
  Promise.all(tiers.map(async (tier) => ({ tier, ...(await quotas.state(application, tier)) })));

/** How many reservations count for the limit of today; null: there is no limit. */
const reservationsToday = async (database: Database, application: Application) =>
  application.reservationsPerDay === null
    ? null
    : countReservationsOfToday(database, application.applicationId);

const moreOutlives = {
  ...refuseOperator('forbidden', 'step_up'),
  message:
    'This gives the partner rights or lower prices, which would outlive the token: a member of staff does it, or the command line.',
};

const applicationActsOf = staffActs<CommandLineContext>();

/** What staff do with applications. Their catalogs, reservations and webhooks are of other subjects. */
export const applicationActs = applicationActsOf({
  'operator.application.list': ({ context, query }) =>
    context.reads.run((from) => listedApplications(from, query)),
  'operator.application.create': async ({ context: { database, environment }, actor, body }) => {
    const { catalog: slug, quotas = {}, ...input } = body;
    const found = await catalogFor(database, slug);
    if (isRefusal(found)) return found;
    const { catalogId, slug: catalog } = found;
    const all = { ...input, environment, quotas, catalogId };
    const created = await createApplication(database, actor.name, all);
    return newApplicationView(created, new Map([[catalogId, catalog]]));
  },
  'operator.application.get': async ({ context: { database, quotas }, params }) => {
    const application = await findApplication(database, params.applicationId);
    if (!application) return noApplication(params.applicationId);
    return {
      ...applicationView(application, await slugsOf(database)),
      conformance: conformanceView(await findLastRun(database, application.applicationId)),
      quotaUse: await quotaUse(quotas, application),
      reservationsToday: await reservationsToday(database, application),
    };
  },
  'operator.application.change': async ({ context: { database }, actor, params, body, seen }) => {
    const { catalog: slug, expectedVersion: _, ...given } = body;
    const catalog = slug === undefined ? undefined : await catalogFor(database, slug);
    if (isRefusal(catalog)) return catalog;
    const changes = { ...given, catalogId: catalog?.catalogId };
    const refuseMore = actor.isToken ? moreOutlives : null;
    const input = { changes, seen, countToday: countTodaysReservations, refuseMore };
    return shown(database, await setApplication(database, actor.name, params.applicationId, input));
  },
  'operator.application.setQuotas': async ({ context, actor, params, body, seen }) => {
    const { database } = context;
    const { expectedVersion: _, ...quotas } = body;
    const changed = await setQuotas(database, actor.name, params.applicationId, quotas, seen);
    return shown(database, changed);
  },
  'operator.application.suspend': async ({ context: { database }, actor, params, body }) => {
    const { reason = null } = body;
    const { applicationId } = params;
    return shown(database, await suspendApplication(database, actor.name, applicationId, reason));
  },
  'operator.application.resume': async ({ context: { database }, actor, params }) =>
    shown(database, await resumeApplication(database, actor.name, params.applicationId)),
});
