import { instant } from '../../contract/time.ts';
import { wireVersion } from '../../contract/wire.ts';
import { listProcesses, readVersions } from '../../platform/postgres/live-processes.ts';
import { act } from '../kinds.ts';

/** Reads how the service is set up. */
export const getSettings = act('operator.settings.get', {
  async reply({ context }) {
    const { database, environment, baseUrl, settings } = context;
    const processes = await listProcesses(database);
    const body = {
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
    return { status: 200, body };
  },
});
