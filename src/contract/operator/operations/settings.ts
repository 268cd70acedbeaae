import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { Settings } from '../schemas/settings.ts';

/** How the service is set up. */
export const settingsRows = tagged('Settings', {
  'operator.settings.get': {
    call: 'GET /operator/v1/settings',
    summary: 'Read how the service is set up',
    description: 'Settings are environment variables. Secrets are not shown.',
    scope: 'read',
    reply: { 200: Settings },
  },
} as const satisfies StatedRows);
