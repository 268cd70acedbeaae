import type { Executor, Statement } from '../postgres/database.ts';

/** An action of staff. */
export interface AuditEntry {
  /** Who did it: the operating system account that runs the command line. */
  actor: string;
  /** The action, as noun and verb: `application.suspend`. */
  action: string;
  applicationId: string | null;
  details: Record<string, unknown>;
}

const insertStatement: Statement = {
  name: 'insert-audit-entry',
  text: `INSERT INTO audit_entries (actor, action, application_id, details) VALUES ($1, $2, $3, $4)`,
};

/** Adds an entry to the audit trail. */
export async function insertAuditEntry(executor: Executor, entry: AuditEntry): Promise<void> {
  await executor.query(insertStatement, [
    entry.actor,
    entry.action,
    entry.applicationId,
    JSON.stringify(entry.details),
  ]);
}
