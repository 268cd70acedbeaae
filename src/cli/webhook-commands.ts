/** The commands about webhooks. */
import { portalLimits } from '../contract/portal/limits.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { sandboxApplications } from '../installation/sandbox-credentials.ts';
import {
  deliveryView,
  endpointView,
  webhookAdministration as webhooks,
} from '../webhooks/index.ts';
import { command, type CommandContext } from './command.ts';
import { application } from './application-flag.ts';
import * as kinds from './flag-kinds.ts';
import { forwardEvents } from './forwarding.ts';
import { pageFlags, pageOutcome } from './staff-flags.ts';
import { listedEndpointView, rotatedSecretView } from './views.ts';

const [, partnerSettled] = sandboxApplications;

const administrationOf = ({
  database,
  actor,
  loopbackAllowed,
}: CommandContext): webhooks.EndpointAdministration => ({
  database,
  actor,
  loopbackAllowed,
});

const endpoint = {
  kind: kinds.endpointId,
  required: true,
  description: 'The endpoint, by its ID.',
} as const;

const deliveryColumns = [
  'deliveryId',
  'endpointId',
  'eventId',
  'type',
  'state',
  'attempts',
  'lastStatus',
  'lastError',
  'lastAttemptAt',
  'nextAttemptAt',
];

const endpointColumns = [
  'endpointId',
  'url',
  'eventTypes',
  'state',
  'stateReason',
  'health',
  'failingSince',
  'retrying',
  'exhausted',
  'missed',
];

const endpointVerbs = {
  add: command({
    summary: 'Adds an endpoint for an application; it receives events from now on.',
    flags: {
      application,
      url: { kind: kinds.url, required: true, description: 'Where events are sent.' },
      events: {
        kind: kinds.eventTypes,
        required: false,
        description: 'The event types that are sent; the default is all.',
      },
      description: {
        kind: kinds.line('TEXT', portalLimits.descriptionLength),
        required: false,
        description: 'A description; the partner sees it.',
      },
    },
    changesApplication: false,
    async run(context, { application: applicationId, url, events, description = '' }) {
      const input = { url, description, eventTypes: events ?? null };
      const { endpoint: added, secret } = await webhooks.addEndpoint(
        administrationOf(context),
        applicationId,
        input,
      );
      return {
        document: { endpointId: added.endpointId, secret },
        note: 'Deliveries are signed with the secret.',
      };
    },
  }),
  list: command({
    summary: 'Lists the endpoints of an application, oldest first.',
    flags: { application },
    changesApplication: false,
    async run(context, { application: applicationId }) {
      const found = await webhooks.listEndpoints(administrationOf(context), applicationId);
      return { document: { items: found.map(listedEndpointView) }, columns: endpointColumns };
    },
  }),
  pause: command({
    summary: 'Stops deliveries to an endpoint until it is resumed.',
    flags: { endpoint },
    changesApplication: false,
    async run(context, { endpoint: endpointId }) {
      return {
        document: endpointView(await webhooks.pauseEndpoint(administrationOf(context), endpointId)),
      };
    },
  }),
  resume: command({
    summary: 'Resumes deliveries to an endpoint that is paused, or disabled by a 410.',
    flags: {
      endpoint,
      missed: {
        kind: kinds.missedEvents,
        required: false,
        description: 'Whether the events of the pause are sent now; the default is replay.',
      },
    },
    changesApplication: false,
    async run(context, { endpoint: endpointId, missed = 'replay' }) {
      const resumed = await webhooks.resumeEndpoint(administrationOf(context), endpointId, missed);
      return { document: endpointView(resumed) };
    },
  }),
  delete: command({
    summary: 'Deletes an endpoint and its deliveries permanently.',
    flags: { endpoint },
    changesApplication: false,
    async run(context, { endpoint: endpointId }) {
      return { document: await webhooks.deleteEndpoint(administrationOf(context), endpointId) };
    },
  }),
  'rotate-secret': command({
    summary: 'Gives an endpoint a new secret; the previous one also signs for a day.',
    flags: { endpoint },
    changesApplication: false,
    async run(context, { endpoint: endpointId }) {
      const secrets = await webhooks.rotateSecret(administrationOf(context), endpointId);
      return { document: rotatedSecretView(endpointId, secrets) };
    },
  }),
};

const deliveryVerbs = {
  list: command({
    summary: 'Lists deliveries of an application, newest first.',
    flags: {
      application,
      endpoint: { ...endpoint, required: false, description: 'Only deliveries to this endpoint.' },
      state: {
        kind: kinds.deliveryState,
        required: false,
        description: 'Only deliveries in this state.',
      },
      ...pageFlags,
    },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { application: applicationId, limit, cursor, ...filter }) {
      const { endpoint: endpointId, state } = filter;
      const wanted = limit ?? operatorLimits.pageSize.default;
      const items: object[] = [];
      // A page looks at a bounded number of deliveries, so it can have fewer than there are.
      for (let from = cursor; ;) {
        const { items: found, nextCursor } = await webhooks.listDeliveryPage(
          database,
          applicationId,
          { endpointId, state },
          { limit: wanted - items.length, cursor: from },
        );
        items.push(...found.map(deliveryView));
        if (nextCursor === null || items.length === wanted) {
          return pageOutcome({ items, nextCursor }, deliveryColumns);
        }
        from = nextCursor;
      }
    },
  }),
  replay: command({
    summary: 'Sends a delivery again.',
    flags: {
      delivery: {
        kind: kinds.deliveryId,
        required: true,
        description: 'The delivery, by its ID.',
      },
    },
    changesApplication: false,
    async run(context, { delivery: deliveryId }) {
      const replayed = await webhooks.replayDelivery(administrationOf(context), deliveryId);
      return { document: deliveryView(replayed) };
    },
  }),
  'replay-failed': command({
    summary: 'Sends the failed deliveries of an endpoint since an instant again.',
    flags: {
      endpoint,
      since: {
        kind: kinds.since,
        required: true,
        description: 'An instant, or a duration before now: 2027-08-14T12:00:00Z, 30m, 12h or 7d.',
      },
    },
    changesApplication: false,
    async run(context, { endpoint: endpointId, since }) {
      const input = { what: 'failed', since: since(Date.now()) } as const;
      return { document: await webhooks.replayMany(administrationOf(context), endpointId, input) };
    },
  }),
  'replay-missed': command({
    summary: 'Sends the events that a resume of an endpoint skipped.',
    flags: { endpoint },
    changesApplication: false,
    async run(context, { endpoint: endpointId }) {
      const input = { what: 'missed' } as const;
      return { document: await webhooks.replayMany(administrationOf(context), endpointId, input) };
    },
  }),
};

const listenVerbs = {
  listen: command({
    summary: 'Posts each new event of an application to a local program, until Ctrl-C.',
    flags: {
      'forward-to': {
        kind: kinds.url,
        required: true,
        description: 'The local program: http://localhost:3000/hook',
      },
      application: {
        ...application,
        required: false,
        description: `The application; the default is "${partnerSettled.name}" of the simulation.`,
      },
    },
    changesApplication: false,
    followsService: true,
    async run(context, { 'forward-to': forwardTo, application: named }) {
      const applicationId = named ?? partnerSettled.applicationId;
      const forwarded = await forwardEvents({ ...context, applicationId, forwardTo });
      return { document: { forwarded } };
    },
  }),
};

/** The commands about webhooks. */
export const webhookCommands = {
  webhook: listenVerbs,
  'webhook endpoint': endpointVerbs,
  'webhook delivery': deliveryVerbs,
};
