import type { Executor, Statement } from '../postgres/database.ts';

/** Something that staff did. */
export interface AuditEntry {
  /** Who: the command line's account, later a member of staff. */
  actor: string;
  /** What, as noun and verb: `application.suspend`. */
  action: string;
  applicationId: string | null;
  details: Record<string, unknown>;
}

const insertStatement: Statement = {
  name: 'insert-audit-entry',
  text: `INSERT INTO audit_entries (actor, action, application_id, details) VALUES ($1, $2, $3, $4)`,
};

/** Adds to the audit trail. */
export async function insertAuditEntry(executor: Executor, entry: AuditEntry): Promise<void> {
  await executor.query(insertStatement, [
    entry.actor,
    entry.action,
    entry.applicationId,
    JSON.stringify(entry.details),
  ]);
}
