/** The persons of partners who use the portal by name. */
import type { EpochMs } from '../../contract/time.ts';
import { manyRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';

/** A person of a partner. */
export interface PortalPerson {
  personId: string;
  name: string;
  email: string;
  createdAt: EpochMs;
}

const columns = `person_id AS "personId", name, email, created_at AS "createdAt"`;

/** Adds a person, or names the one with this address anew. Undefined: there is no such application. */
export const putPerson = oneRow<
  [of: { applicationId: string; name: string; email: string }],
  PortalPerson
>({
  name: 'put-portal-person',
  text: `INSERT INTO portal_people (application_id, name, email)
    SELECT application_id, $2, $3 FROM applications WHERE application_id = $1
    ON CONFLICT (application_id, lower(email)) DO UPDATE SET name = excluded.name
    RETURNING ${columns}`,
  values: ({ applicationId, name, email }) => [applicationId, name, email],
});

/** How many persons an application has. */
export const countPeople = theValue<[applicationId: string], number>({
  name: 'count-portal-people',
  text: `SELECT count(*)::integer AS count FROM portal_people WHERE application_id = $1`,
});

/** Lists the persons of an application, by address. */
export const listPeople = manyRows<[applicationId: string], PortalPerson>({
  name: 'list-portal-people',
  text: `SELECT ${columns} FROM portal_people WHERE application_id = $1 ORDER BY lower(email)`,
});

/** Removes a person with links and sessions. Undefined: there is none. */
export const removePerson = oneRow<[of: { applicationId: string; personId: string }], PortalPerson>(
  {
    name: 'remove-portal-person',
    text: `DELETE FROM portal_people WHERE application_id = $1 AND person_id = $2 RETURNING ${columns}`,
    values: ({ applicationId, personId }) => [applicationId, personId],
  },
);
