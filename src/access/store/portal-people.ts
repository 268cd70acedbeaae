/** The persons of partners who use the portal by name. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A person of a partner. */
export interface PortalPerson {
  personId: string;
  name: string;
  email: string;
  createdAt: EpochMs;
}

const columns = `person_id AS "personId", name, email, created_at AS "createdAt"`;

const putStatement: Statement = {
  name: 'put-portal-person',
  text: `INSERT INTO portal_people (application_id, name, email)
    SELECT application_id, $2, $3 FROM applications WHERE application_id = $1
    ON CONFLICT (application_id, lower(email)) DO UPDATE SET name = excluded.name
    RETURNING ${columns}`,
};

/** Adds a person, or names the one with this address anew. Undefined: there is no such application. */
export async function putPerson(
  executor: Executor,
  { applicationId, name, email }: { applicationId: string; name: string; email: string },
): Promise<PortalPerson | undefined> {
  return (await executor.query<PortalPerson>(putStatement, [applicationId, name, email]))[0];
}

const countStatement: Statement = {
  name: 'count-portal-people',
  text: `SELECT count(*)::integer AS count FROM portal_people WHERE application_id = $1`,
};

/** How many persons an application has. */
export async function countPeople(executor: Executor, applicationId: string): Promise<number> {
  return (await executor.query<{ count: number }>(countStatement, [applicationId]))[0]!.count;
}

const listStatement: Statement = {
  name: 'list-portal-people',
  text: `SELECT ${columns} FROM portal_people WHERE application_id = $1 ORDER BY lower(email)`,
};

/** Lists the persons of an application, by address. */
export const listPeople = (executor: Executor, applicationId: string): Promise<PortalPerson[]> =>
  executor.query<PortalPerson>(listStatement, [applicationId]);

const removeStatement: Statement = {
  name: 'remove-portal-person',
  text: `DELETE FROM portal_people WHERE application_id = $1 AND person_id = $2 RETURNING ${columns}`,
};

/** Removes a person with links and sessions. Undefined: there is none. */
export async function removePerson(
  executor: Executor,
  { applicationId, personId }: { applicationId: string; personId: string },
): Promise<PortalPerson | undefined> {
  return (await executor.query<PortalPerson>(removeStatement, [applicationId, personId]))[0];
}
