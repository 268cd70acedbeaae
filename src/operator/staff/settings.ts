import { instant } from '../../contract/time.ts';
import { wireVersion } from '../../contract/wire.ts';
import { listProcesses, readVersions } from '../../platform/postgres/live-processes.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { OperatorContext } from '../context.ts';

/** How the service is set up. */
export const settingsActs = staffActs<OperatorContext>()({
  'operator.settings.get': async ({ context }) => {
    const { database, environment, baseUrl, settings } = context;
    const processes = await listProcesses(database);
    return {
      environment,
      baseUrl,
      wireVersion,
      node: process.version,
      ...(await readVersions(database)),
      ...settings,
      processes: processes.map(({ startedAt, seenAt, ...rest }) => ({
        ...rest,
        startedAt: instant(startedAt),
        seenAt: instant(seenAt),
      })),
    };
  },
});
