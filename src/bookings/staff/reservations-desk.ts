/** The application of a catalog in whose name staff make reservations. It has no key, so nobody can call with it. */
import { createHash } from 'node:crypto';
import {
  applicationCreatedEntry,
  findApplication,
  registerApplication,
} from '../../access/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isTaken } from '../../platform/postgres/database-errors.ts';
import { uuidOfHex } from '../../platform/uuid.ts';

const name = 'Reservations desk';

/** The ID follows from the catalog, so two who need it at once make the same one. */
function idOf(catalogId: string): string {
  const bytes = createHash('sha256').update(`${name} ${catalogId}`).digest().subarray(0, 16);
  // A UUID of version 8.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidOfHex(bytes.toString('hex'));
}

/** Makes sure that a catalog has its application for staff. Returns its ID. */
export async function reservationsDesk(
  database: Database,
  actor: string,
  catalogId: string,
): Promise<string> {
  const applicationId = idOf(catalogId);
  if (await findApplication(database, applicationId)) return applicationId;
  const input = {
    name,
    settlement: 'card',
    grants: [],
    quotas: {},
    catalogId,
    portalKeys: false,
  } as const;
  try {
    await auditedChange(
      database,
      (executor) => registerApplication(executor, applicationId, input),
      (made) => applicationCreatedEntry(actor, made),
    );
  } catch (error) {
    if (!isTaken(error, 'applications_pkey')) throw error;
  }
  return applicationId;
}
