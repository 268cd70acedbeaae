/** The command that sends events to a local program. */
import { isRefusal } from '../contract/errors.ts';
import { sandboxApplications } from '../installation/sandbox-credentials.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { forwardEvents } from './forwarding.ts';

const [, partnerSettled] = sandboxApplications;

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
      return isRefusal(forwarded) ? forwarded : { document: { forwarded } };
    },
  }),
};

/** The command about webhooks that is written by hand: it follows the service. */
export const webhookCommands = { webhook: listenVerbs };
