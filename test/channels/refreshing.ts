/** A worker that reads what is due, and kills itself at a failpoint. Started by `polling.test.ts`. */
import { openRefreshing } from '../../src/channels/poller.ts';
import { refreshCalendar } from '../../src/channels/refresh-calendar.ts';
import { claimDueCalendars } from '../../src/channels/store/claims.ts';
import { readDueHosts } from '../../src/channels/store/due-hosts.ts';
import { parseFailpoint, withFailpoint } from '../../src/program/failpoint.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { testMasterKey } from '../harness/postgres.ts';

/** What the process does, as JSON in its only argument. */
export interface Refreshing {
  connection: Connection;
  failpoint: string;
}

const { connection, failpoint } = JSON.parse(process.argv[2]!) as Refreshing;
const vault = openVault(testMasterKey);
const own = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
const database = withFailpoint(own, parseFailpoint(failpoint));
const rules = { loopbackAllowed: true };
const { context, close } = openRefreshing({ database, rules, everySeconds: 1_800 });
const due = await readDueHosts(database, 10);
const chosen = new Map(due.map(({ host }) => [host, 10]));
for (const claim of await claimDueCalendars(database, chosen, 60)) {
  await refreshCalendar(context, claim, new AbortController().signal);
}
await close();
await own.close();
