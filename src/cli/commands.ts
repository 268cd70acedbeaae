/** The table of commands. Parsing, help and execution use it. */
import { limits, tiers } from '../contract/limits.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { capabilities } from '../contract/scopes.ts';
import {
  type Application,
  applicationView,
  issuedKeyView,
  keyView,
  newApplicationView,
  createApplication,
  defaultKeyLifetimeSeconds,
  findApplicationByIdOrName,
  issueKey,
  listApplications,
  listKeys,
  resumeApplication,
  revokeKey,
  setApplication,
  setQuotas,
  suspendApplication,
} from '../access/index.ts';
import { catalogFor, readCatalogs } from '../catalog/index.ts';
import { countTodaysReservations } from '../bookings/index.ts';
import { application } from './application-flag.ts';
import type { Database } from '../platform/postgres/database.ts';
import { command, type Outcome } from './command.ts';
import { auditCommands } from './audit-commands.ts';
import { catalogCommands } from './catalog-commands.ts';
import { channelCommands } from './channel-commands.ts';
import { checkoutCommands } from './checkout-commands.ts';
import { type Commands, nounsOf } from './nouns.ts';
import { paymentCommands } from './payment-commands.ts';
import { pictureCommands } from './picture-commands.ts';
import { reservationCommands } from './reservation-commands.ts';
import { commandsOf } from './row-commands.ts';
import { staffCommands } from './staff-commands.ts';
import { webhookCommands } from './webhook-commands.ts';
import { operatorOperations as operatorRows } from '../contract/operator/operations.ts';
import { operatorOperations } from '../operator/index.ts';
import * as kinds from './flag-kinds.ts';

const tokenMinutes = limits.accessTokenSeconds / 60;
const keyLifetimeDays = defaultKeyLifetimeSeconds / 86_400;
const shownOnce = 'The application key is shown only once: store it now, on a server.';
const applicationColumns = [
  'applicationId',
  'name',
  'settlement',
  'state',
  'catalog',
  'adjustPercent',
  'reservationsPerDay',
  'portalKeys',
  'grants',
  'quotas',
];
const tierNames = tiers.join(', ');

/** The flags that both `create` and `set` have. */
const sellingFlags = {
  catalog: {
    kind: kinds.catalogSlug,
    required: false,
    description: 'The catalog that it sells, by its slug.',
  },
  'adjust-percent': {
    kind: kinds.adjustPercent,
    required: false,
    description: 'Changes the price of every night: 8 for 8 % more, -5 for 5 % less.',
  },
  'reservations-per-day': {
    kind: kinds.reservationsPerDay,
    required: false,
    description: 'The most reservations of a day (UTC), or none for no limit.',
  },
  'portal-keys': {
    kind: kinds.yesOrNo,
    required: false,
    description: 'Whether the partner issues and revokes its keys in the portal.',
  },
} as const;

const grantsFlag = {
  kind: kinds.grants,
  description: `Its grants: any of ${capabilities.join(', ')}.`,
} as const;

const nameFlag = { kind: kinds.name, description: 'The name of the application.' } as const;

const slugsOf = async (database: Database): Promise<Map<string, string>> =>
  new Map((await readCatalogs(database)).map(({ catalogId, slug }) => [catalogId, slug]));

/** The outcome of a command about one application. */
const shown = async (database: Database, found: Application): Promise<Outcome> => ({
  document: applicationView(found, await slugsOf(database)),
});

const applicationVerbs = {
  create: command({
    summary: 'Registers an application and issues its first key.',
    flags: {
      name: { ...nameFlag, required: true },
      settlement: {
        kind: kinds.settlement,
        required: true,
        description: 'Who pays: the guest by card, or the partner.',
      },
      grants: { ...grantsFlag, required: true },
      quota: {
        kind: kinds.quotas,
        required: false,
        description: `Calls per minute for ${tierNames}; missing tiers get the default.`,
      },
      ...sellingFlags,
    },
    changesApplication: false,
    async run({ database, environment, actor }, values) {
      const { name, settlement, grants, quota: quotas = {}, catalog: slug } = values;
      const catalog = await catalogFor(database, slug);
      const created = await createApplication(database, actor, {
        environment,
        name,
        settlement,
        grants,
        quotas,
        catalogId: catalog.catalogId,
        adjustPercent: values['adjust-percent'],
        reservationsPerDay: values['reservations-per-day'],
        portalKeys: values['portal-keys'],
      });
      return { document: newApplicationView(created, catalog.slug), note: shownOnce };
    },
  }),
  list: command({
    summary: 'Lists all applications, oldest first.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      const slugs = await slugsOf(database);
      const found = await listApplications(database);
      const items = found.map((one) => applicationView(one, slugs));
      return { document: { items }, columns: applicationColumns };
    },
  }),
  show: command({
    summary: 'Shows an application.',
    flags: { application },
    changesApplication: false,
    run: async ({ database }, { application: id }) =>
      shown(database, await findApplicationByIdOrName(database, id)),
  }),
  set: command({
    summary:
      'Changes name, grants, catalog, channel adjustment, daily limit or rights in the portal.',
    flags: {
      application,
      name: { ...nameFlag, required: false },
      grants: { ...grantsFlag, required: false },
      ...sellingFlags,
    },
    needsOneOf: [
      'name',
      'grants',
      'catalog',
      'adjust-percent',
      'reservations-per-day',
      'portal-keys',
    ],
    changesApplication: true,
    async run({ database, actor }, { application: id, name, grants, catalog: slug, ...values }) {
      const changes = {
        name,
        grants,
        catalogId: slug && (await catalogFor(database, slug)).catalogId,
        adjustPercent: values['adjust-percent'],
        reservationsPerDay: values['reservations-per-day'],
        portalKeys: values['portal-keys'],
      };
      const input = { changes, countToday: countTodaysReservations };
      return shown(database, await setApplication(database, actor, id, input));
    },
  }),
  suspend: command({
    summary: 'Suspends an application, including its valid tokens, until it is resumed.',
    flags: {
      application,
      reason: {
        kind: kinds.line('TEXT', operatorLimits.reasonLength),
        required: false,
        description: 'The reason, for staff only.',
      },
    },
    changesApplication: true,
    async run({ database, actor }, values) {
      const { application: id, reason = null } = values;
      return shown(database, await suspendApplication(database, actor, id, reason));
    },
  }),
  resume: command({
    summary: 'Resumes a suspended application.',
    flags: { application },
    changesApplication: true,
    async run({ database, actor }, { application: id }) {
      return shown(database, await resumeApplication(database, actor, id));
    },
  }),
  'set-quota': command({
    summary: 'Changes the quotas of an application.',
    flags: {
      application,
      quota: {
        kind: kinds.quotas,
        required: true,
        description: `Calls per minute for ${tierNames}; missing tiers keep theirs.`,
      },
    },
    changesApplication: true,
    async run({ database, actor }, { application: id, quota }) {
      return shown(database, await setQuotas(database, actor, id, quota));
    },
  }),
};

const keyVerbs = {
  issue: command({
    summary: 'Issues another key for an application; existing keys keep working.',
    flags: {
      application,
      'expires-in': {
        kind: kinds.keyLifetime,
        required: false,
        description: `The lifetime, such as 30m, 12h or 90d; the default is ${keyLifetimeDays}d.`,
      },
    },
    changesApplication: false,
    async run({ database, environment, actor }, values) {
      const { application: applicationId, 'expires-in': lifetimeSeconds } = values;
      const input = { environment, applicationId, lifetimeSeconds };
      return { document: issuedKeyView(await issueKey(database, actor, input)), note: shownOnce };
    },
  }),
  list: command({
    summary: 'Lists the keys of an application, oldest first, without their secrets.',
    flags: { application },
    changesApplication: false,
    async run({ database }, { application: id }) {
      const items = (await listKeys(database, id)).map(keyView);
      const columns = ['keyId', 'state', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'];
      return { document: { items }, columns };
    },
  }),
  revoke: command({
    summary: 'Revokes a key permanently: it gets no more tokens.',
    flags: {
      key: { kind: kinds.keyId, required: true, description: 'The key, by its ID.' },
    },
    changesApplication: false,
    async run({ database, actor }, { key }) {
      const note = `Its tokens stay valid until they expire, at most ${tokenMinutes} minutes.`;
      return { document: keyView(await revokeKey(database, actor, key)), note };
    },
  }),
};

/** The commands that are written by hand. */
const byHand: Commands = {
  application: applicationVerbs,
  key: keyVerbs,
  ...catalogCommands,
  ...pictureCommands,
  ...channelCommands,
  ...webhookCommands,
  ...reservationCommands,
  ...checkoutCommands,
  ...paymentCommands,
  ...auditCommands,
  ...staffCommands,
};

/** Every noun with its verbs. */
export const nouns = nounsOf(byHand, commandsOf(operatorRows, operatorOperations));
