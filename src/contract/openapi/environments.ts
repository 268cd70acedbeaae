import type { ServerObject } from './document.ts';

/** The base URLs. The operator chooses the hosts. Keys of one environment do not work in the other. */
export const servers: ServerObject[] = [
  {
    url: 'https://{host}',
    description:
      'Sandbox: the same contract with simulated homes, prices and outcomes. No real reservation is made, and nobody is charged or contacted.',
    variables: {
      host: {
        default: 'sandbox.latchkey.invalid',
        description: "The host of the operator's sandbox.",
      },
    },
  },
  {
    url: 'https://{host}',
    description: 'Production: live homes and real reservations.',
    variables: {
      host: {
        default: 'api.latchkey.invalid',
        description: "The host of the operator's production.",
      },
    },
  },
];
