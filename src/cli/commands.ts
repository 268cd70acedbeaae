/** The table of commands. Parsing, help and execution use it. */
import { limits, tiers } from '../contract/limits.ts';
import { capabilities } from '../contract/scopes.ts';
import {
  createApplication,
  defaultKeyLifetimeSeconds,
  issueKey,
  listApplications,
  listKeys,
  listSigningKeys,
  resumeApplication,
  revokeKey,
  rotateSigningKey,
  setQuotas,
  suspendApplication,
} from '../access/index.ts';
import { application } from './application-flag.ts';
import { command, type Noun } from './command.ts';
import * as kinds from './flag-kinds.ts';
import {
  applicationView,
  issuedKeyView,
  keyView,
  newApplicationView,
  signingKeyView,
} from './views.ts';
import { auditNoun } from './audit-commands.ts';
import { checkoutNoun } from './checkout-commands.ts';
import { reservationNoun } from './reservation-commands.ts';
import { portalNoun, webhookNoun } from './webhook-commands.ts';

const reasonLength = 500;
const tokenMinutes = limits.accessTokenSeconds / 60;
const keyLifetimeDays = defaultKeyLifetimeSeconds / 86_400;
const shownOnce = 'The application key is shown only once: store it now, on a server.';
const tierNames = tiers.join(', ');

const applicationVerbs = {
  create: command({
    summary: 'Registers an application and issues its first key.',
    flags: {
      name: { kind: kinds.name, required: true, description: 'The name of the application.' },
      settlement: {
        kind: kinds.settlement,
        required: true,
        description: 'Who pays: the guest by card, or the partner.',
      },
      grants: {
        kind: kinds.grants,
        required: true,
        description: `Its grants: any of ${capabilities.join(', ')}.`,
      },
      quota: {
        kind: kinds.quotas,
        required: false,
        description: `Calls per minute for ${tierNames}; missing tiers get the default.`,
      },
    },
    changesApplication: false,
    async run({ database, environment, actor }, { quota: quotas = {}, ...values }) {
      const created = await createApplication(database, actor, { environment, quotas, ...values });
      return { document: newApplicationView(created), note: shownOnce };
    },
  }),
  list: command({
    summary: 'Lists all applications, oldest first.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      const items = (await listApplications(database)).map(applicationView);
      const columns = ['applicationId', 'name', 'settlement', 'state', 'grants', 'quotas'];
      return { document: { items }, columns };
    },
  }),
  suspend: command({
    summary: 'Suspends an application, including its valid tokens, until it is resumed.',
    flags: {
      application,
      reason: {
        kind: kinds.line('TEXT', reasonLength),
        required: false,
        description: 'The reason, for staff only.',
      },
    },
    changesApplication: true,
    async run({ database, actor }, values) {
      const { application: id, reason = null } = values;
      return { document: applicationView(await suspendApplication(database, actor, id, reason)) };
    },
  }),
  resume: command({
    summary: 'Resumes a suspended application.',
    flags: { application },
    changesApplication: true,
    async run({ database, actor }, { application: id }) {
      return { document: applicationView(await resumeApplication(database, actor, id)) };
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
      return { document: applicationView(await setQuotas(database, actor, id, quota)) };
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

const signingKeyVerbs = {
  list: command({
    summary: 'Lists the keys whose access tokens can still be valid, newest first.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      return { document: { items: (await listSigningKeys(database)).map(signingKeyView) } };
    },
  }),
  rotate: command({
    summary: 'Replaces the key that signs access tokens; issued tokens stay valid.',
    flags: {},
    changesApplication: false,
    async run({ database, actor }) {
      const note = 'Running services sign with it within 30 seconds.';
      return { document: signingKeyView(await rotateSigningKey(database, actor)), note };
    },
  }),
};

/** Every noun with its verbs. */
export const nouns: Readonly<Record<string, Noun>> = {
  application: { summary: 'Partner applications.', verbs: applicationVerbs },
  key: { summary: 'The keys of partner applications.', verbs: keyVerbs },
  'signing-key': { summary: 'The keys that sign access tokens.', verbs: signingKeyVerbs },
  webhook: webhookNoun,
  portal: portalNoun,
  reservation: reservationNoun,
  checkout: checkoutNoun,
  audit: auditNoun,
};
