import type { ServerObject } from './document.ts';

/**
 * The base URLs. The operator chooses the hosts. Keys of one environment do not work in the other. The variables
 * have no description: the schema of OpenAPI 3.1 in widely used validators refuses one.
 */
export const servers: ServerObject[] = [
  {
    url: 'https://{host}',
    description:
      "Sandbox: the same contract with simulated homes, prices and outcomes. No real reservation is made, and nobody is charged or contacted. `host` is the host of the operator's sandbox.",
    variables: { host: { default: 'sandbox.latchkey.invalid' } },
  },
  {
    url: 'https://{host}',
    description:
      "Production: live homes and real reservations. `host` is the host of the operator's production.",
    variables: { host: { default: 'api.latchkey.invalid' } },
  },
];
