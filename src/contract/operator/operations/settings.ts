import type { OperatorRow } from '../row.ts';
import { Settings } from '../schemas/settings.ts';

/** How the service is set up. */
export const settingsRows = {
  'operator.settings.get': {
    method: 'GET',
    path: '/operator/v1/settings',
    tag: 'Settings',
    summary: 'Read how the service is set up',
    description: 'Settings are environment variables. Secrets are not shown.',
    scope: 'read',
    reply: { 200: Settings },
    errors: [],
  },
} as const satisfies Record<string, OperatorRow>;
