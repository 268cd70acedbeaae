import type { ServerObject } from './document.ts';

/** The base URLs. Hosts are the operator's to name; the keys of one are worth nothing at the other. */
export const servers: ServerObject[] = [
  {
    url: 'https://{host}',
    description:
      'Sandbox: the same contract with simulated homes, prices and outcomes. Nothing is reserved, nobody is charged or contacted.',
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
