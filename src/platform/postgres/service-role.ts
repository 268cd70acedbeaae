/** What the role of the service may do, where another role owns the tables. */
import type { Executor, Statement } from './database.ts';
import { theValue } from './statement-functions.ts';

/** Only functions of the owner write these: the service may not change or empty the audit trail. */
const readOnly = ['audit_chain', 'audit_head', 'audit_unchained', 'schema_migrations'] as const;
const insertOnly = ['audit_entries', 'audit_homes', 'audit_texts'] as const;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const grantsFor = (role: string): string[] => [
  `GRANT USAGE ON SCHEMA public TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
  `REVOKE INSERT, UPDATE, DELETE ON ${readOnly.join(', ')} FROM ${role}`,
  `REVOKE UPDATE, DELETE ON ${insertOnly.join(', ')} FROM ${role}`,
];

/** The role of a connection. */
export const roleOf = theValue<[], string>({
  name: 'current-role',
  text: 'SELECT current_user AS role',
});

// Imports, and changes of many homes, set rows aside in temporary tables.
const grantableStatement: Statement = {
  name: 'database-whose-temporary-can-be-granted',
  text: `SELECT current_database() AS name
    WHERE has_database_privilege(current_database(), 'TEMPORARY WITH GRANT OPTION')`,
};

/** As the owner: lets the role of the service read and write rows, and the audit trail only by adding to it. */
export async function grantToService(owner: Executor, role: string): Promise<void> {
  const databases = await owner.query<{ name: string }>(grantableStatement);
  const temporary = databases.map(
    ({ name }) => `GRANT TEMPORARY ON DATABASE ${quoted(name)} TO ${quoted(role)}`,
  );
  for (const text of [...grantsFor(quoted(role)), ...temporary]) {
    await owner.query({ name: '', text });
  }
}

/** Whether the role of the service owns the audit trail, and so could change it. */
export const ownsAuditTrail = theValue<[], boolean>({
  name: 'owns-audit-trail',
  text: `SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit_entries'::regclass`,
});
