import { daySeconds, instant } from '../../contract/time.ts';
import {
  type Application,
  applicationView,
  createApplication,
  findApplicationByIdOrName,
  issuedKeyView,
  issueKey,
  issuePortalLink,
  keyView,
  listApplications,
  listKeys,
  newApplicationView,
  portalLinkView,
  resumeApplication,
  revokeKey,
  setApplication,
  setQuotas,
  suspendApplication,
} from '../../access/index.ts';
import { countReservationsOfToday, countTodaysReservations } from '../../bookings/index.ts';
import { catalogFor, readCatalogs } from '../../catalog/index.ts';
import { tiers } from '../../contract/limits.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { readLastCalls } from '../../request-log/index.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import type { OperatorContext } from '../context.ts';
import { act } from '../kinds.ts';

const slugsOf = async (database: Executor): Promise<Map<string, string>> =>
  new Map((await readCatalogs(database)).map(({ catalogId, slug }) => [catalogId, slug]));

const shown = async (database: Database, application: Application) => ({
  status: 200 as const,
  body: applicationView(application, await slugsOf(database)),
});

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

/** Lists applications. */
export const listPartnerApplications = act('operator.application.list', {
  async reply({ context }) {
    const items = await context.reads.run(async (from) =>
      withUse(from, await listApplications(from)),
    );
    return { status: 200, body: { items } };
  },
});

/** Registers an application. */
export const createPartnerApplication = act('operator.application.create', {
  async reply({ context: { database, environment }, actor, body }) {
    const { catalog: slug, quotas = {}, ...input } = body;
    const { catalogId, slug: catalog } = await catalogFor(database, slug);
    const settings = { adjustPercent: undefined, reservationsPerDay: undefined, ...input };
    const created = await createApplication(database, actor.name, {
      ...settings,
      environment,
      quotas,
      catalogId,
    });
    const { createdAt } = applicationView(created, new Map());
    return { status: 201, body: { ...newApplicationView(created, catalog), createdAt } };
  },
});

/** How much of each quota is left. */
const quotaUse = ({ quotas }: OperatorContext, application: Application) =>
  Promise.all(tiers.map(async (tier) => ({ tier, ...(await quotas.state(application, tier)) })));

/** How many reservations count for the limit of today; null: there is no limit. */
const reservationsToday = async (database: Database, application: Application) =>
  application.reservationsPerDay === null
    ? null
    : countReservationsOfToday(database, application.applicationId);

/** Reads an application. */
export const getPartnerApplication = act('operator.application.get', {
  async reply({ context, params }) {
    const { database } = context;
    const application = await findApplicationByIdOrName(database, params.applicationId);
    const { body } = await shown(database, application);
    const uses = {
      quotaUse: await quotaUse(context, application),
      reservationsToday: await reservationsToday(database, application),
    };
    return { status: 200, body: { ...body, ...uses } };
  },
});

/** Changes an application. */
export const changePartnerApplication = act('operator.application.change', {
  async reply({ context: { database }, actor, params, body }) {
    const { catalog: slug, ...given } = body;
    const catalogId = slug === undefined ? undefined : (await catalogFor(database, slug)).catalogId;
    const changes = { ...given, catalogId };
    const input = { changes, countToday: countTodaysReservations };
    return shown(database, await setApplication(database, actor.name, params.applicationId, input));
  },
});

/** Changes quotas. */
export const setPartnerQuotas = act('operator.application.setQuotas', {
  reply: async ({ context: { database }, actor, params, body }) =>
    shown(database, await setQuotas(database, actor.name, params.applicationId, body)),
});

/** Suspends an application. */
export const suspendPartner = act('operator.application.suspend', {
  async reply({ context: { database }, actor, params: { applicationId }, body }) {
    const reason = body.reason ?? null;
    return shown(database, await suspendApplication(database, actor.name, applicationId, reason));
  },
});

/** Resumes an application. */
export const resumePartner = act('operator.application.resume', {
  reply: async ({ context: { database }, actor, params }) =>
    shown(database, await resumeApplication(database, actor.name, params.applicationId)),
});

/** Issues a link to the portal. */
export const issueLink = act('operator.application.portalLink', {
  async reply({ context: { database, baseUrl }, actor, params: { applicationId } }) {
    const link = await issuePortalLink(database, actor.name, { applicationId, baseUrl });
    return { status: 201, body: portalLinkView(link) };
  },
});

/** Lists the keys of an application. */
export const listPartnerKeys = act('operator.key.list', {
  async reply({ context, params }) {
    const keys = await context.reads.run((from) => listKeys(from, params.applicationId));
    return { status: 200, body: { items: keys.map(keyView) } };
  },
});

/** Issues a key. */
export const issuePartnerKey = act('operator.key.issue', {
  async reply({ context: { database, environment }, actor, params, body }) {
    const { applicationId } = params;
    const days = body.expiresInDays;
    const lifetimeSeconds = days === undefined ? undefined : days * daySeconds;
    const input = { environment, applicationId, lifetimeSeconds };
    return { status: 201, body: issuedKeyView(await issueKey(database, actor.name, input)) };
  },
});

/** Revokes a key. */
export const revokePartnerKey = act('operator.key.revoke', {
  async reply({ context: { database }, actor, params }) {
    return { status: 200, body: keyView(await revokeKey(database, actor.name, params.keyId)) };
  },
});
