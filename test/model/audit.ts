/** The end of a session: reads everything once more and compares the number of rows. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from '../harness/rows.ts';
import type { Call } from './call-kinds.ts';
import type { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import type { Inventory } from './homes.ts';
import type { TestSystem } from './test-system.ts';
import {
  accountNames,
  changesOf,
  checkoutsOf,
  limitedCode,
  requestsOf,
  usesIn,
  type AccountName,
  type BookingName,
  type World,
} from './world.ts';

function readsOf(world: World, sessionClients: SessionClients, by: AccountName): Call[] {
  const account = world.accounts[by];
  const checkouts = checkoutsOf(account).filter(([name]) => sessionClients.capability(by, name));
  const requests = requestsOf(account);
  const reserved: BookingName[] = [...checkouts, ...requests].flatMap(([name, { reservation }]) =>
    reservation ? [name] : [],
  );
  return [
    ...checkouts.flatMap(([checkout]) =>
      (['read', 'readStatus', 'readConfirmation'] as const).map((does): Call => ({
        does,
        by,
        checkout,
        session: 'own',
      })),
    ),
    ...requests.map(([request]): Call => ({ does: 'readRequest', by, request })),
    ...reserved
      .filter((booking) => sessionClients.reference(by, booking) !== undefined)
      .map((booking): Call => ({ does: 'readReservation', by, of: by, booking, isKnown: true })),
    { does: 'listRequests', by, partnerReference: null },
  ];
}

type Counts = Record<string, number>;

const countsText = `SELECT a.application_id,
    (SELECT count(*)::integer FROM quotes q WHERE q.application_id = a.application_id) AS quotes,
    (SELECT count(*)::integer FROM bookings b WHERE b.application_id = a.application_id
      AND b.kind = 'checkout') AS checkouts,
    (SELECT count(*)::integer FROM bookings b WHERE b.application_id = a.application_id
      AND b.kind = 'request') AS requests,
    (SELECT coalesce(sum(b.version), 0)::integer FROM bookings b
      WHERE b.application_id = a.application_id) AS versions,
    (SELECT count(*)::integer FROM checkout_commands c
      WHERE c.application_id = a.application_id) AS commands,
    (SELECT count(*)::integer FROM reservations r
      WHERE r.application_id = a.application_id) AS reservations,
    (SELECT count(*)::integer FROM signals s WHERE s.application_id = a.application_id) AS signals,
    (SELECT count(*)::integer FROM change_requests k
      WHERE k.application_id = a.application_id) AS changes,
    (SELECT count(*)::integer FROM events e WHERE e.application_id = a.application_id) AS events,
    (SELECT p.uses FROM promotions p WHERE p.code = $2) AS uses
  FROM applications a WHERE a.application_id = $1`;

function countsOf(world: World, by: AccountName): Counts {
  const account = world.accounts[by];
  const checkouts = checkoutsOf(account).map(([, checkout]) => checkout);
  const requests = requestsOf(account).map(([, request]) => request);
  const bookings = [...checkouts, ...requests];
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    quotes: Object.values(account.quotes).filter((quote) => quote !== null).length,
    checkouts: checkouts.length,
    requests: requests.length,
    versions: sum(bookings.map(({ version }) => version)),
    commands: sum(checkouts.map(({ applied, expiredBy }) => applied.length + (expiredBy ? 1 : 0))),
    reservations: bookings.filter(({ reservation }) => reservation !== null).length,
    signals: Object.values(account.signals).filter((signal) => signal !== null).length,
    changes: changesOf(account).length,
    events: account.events.length,
    uses: usesIn(world),
  };
}

const outsideReads = ({ outside }: Inventory): Call[] => [
  { does: 'listOutside', by: accountNames[0] },
  ...outside.map(({ stay }): Call => ({ does: 'readOutside', by: accountNames[0], stay })),
];

/** Reads of all resources. */
export const readsAtEnd = (world: World, sessionClients: SessionClients): Call[] => [
  ...accountNames.flatMap((by) => readsOf(world, sessionClients, by)),
  ...(world.inventory ? outsideReads(world.inventory) : []),
];

/** Reads of what the reads before have decided. */
export const listsAtEnd: readonly Call[] = accountNames.map((by) => ({ does: 'listChanges', by }));

/** Throws unless the number of rows equals the number of expected effects. */
export async function checkRows(
  { service }: TestSystem,
  sessionClients: SessionClients,
  worlds: readonly World[],
): Promise<void> {
  for (const by of accountNames) {
    const values = [sessionClients.applicationOf(by), sessionClients.codeOf(limitedCode)];
    const [row] = await sql<Counts>(service.database, countsText, values);
    const { application_id: _, ...counted } = row!;
    const expected = worlds.map((world) => countsOf(world, by));
    if (expected.some((counts) => isDeepStrictEqual(counts, counted))) continue;
    const texts = expected.map((counts) => JSON.stringify(counts)).join(' or ');
    throw new Difference(`${by} has the rows ${JSON.stringify(counted)}, not ${texts}`);
  }
}
