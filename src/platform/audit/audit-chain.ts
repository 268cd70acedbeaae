/** The chain of the audit trail: what the owner's functions do with it, and how it is read. */
import type { Executor, Statement } from '../postgres/database.ts';
import { manyRows, rowOrNull, theRow, theValue } from '../postgres/statement-functions.ts';
import { splitDetails } from './audit-texts.ts';

const earlierStatement: Statement = {
  name: 'find-audit-texts-to-move',
  // Of the entries that are chained next: however many wait, a batch reads no more. Found by key, not joined: a plan from a
  // time with few entries would read all of them for each other's rows.
  text: `SELECT entry_id AS "entryId", action, details FROM audit_entries
    WHERE entry_id = ANY (ARRAY(SELECT entry_id FROM audit_unchained ORDER BY entry_id LIMIT $1))
      AND has_audit_text(action, details) ORDER BY entry_id`,
};

const moveStatement: Statement = {
  name: 'move-audit-texts',
  text: `SELECT move_audit_text(entry_id, digest, sealed)
    FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS moved (entry_id, digest, sealed)`,
};

/** Moves one batch of the texts of earlier versions beside their entries. Returns how many. */
async function moveTexts(executor: Executor, atMost: number): Promise<number> {
  const found = await executor.query<{
    entryId: number;
    action: string;
    details: Record<string, unknown>;
  }>(earlierStatement, [atMost]);
  if (found.length === 0) return 0;
  const split = found.map(({ action, details }) => splitDetails(executor.vault, action, details));
  await executor.query(moveStatement, [
    found.map(({ entryId }) => entryId),
    split.map(({ details }) => details['textDigest']),
    split.map(({ sealed }) => sealed),
  ]);
  return found.length;
}

const chain = theValue<[atMost: number], number>({
  name: 'chain-audit-entries',
  text: 'SELECT chain_audit_entries($1) AS chained',
});

/** Appends one batch of committed entries to the chain. Returns how many. Spec: OPERATOR-12. */
export async function chainAuditEntries(executor: Executor, atMost: number): Promise<number> {
  const moved = await moveTexts(executor, atMost);
  return Math.max(moved, await chain(executor, atMost));
}

const atOnce = 500;

/** Appends everything that is committed. */
export async function chainAllAuditEntries(executor: Executor): Promise<void> {
  while ((await chainAuditEntries(executor, atOnce)) > 0);
}

/** Removes one batch of entries older than seven years. Returns how many. Spec: GUEST-2. */
export const removeOldAuditEntries = theValue<[atMost: number], number>({
  name: 'remove-old-audit-entries',
  text: 'SELECT remove_old_audit_entries($1) AS removed',
});

/** Erases what people have written about these reservations or bookings. Returns how many texts. Spec: GUEST-4. */
export const eraseAuditTexts = theValue<[references: readonly string[]], number>({
  name: 'erase-audit-texts',
  text: 'SELECT erase_audit_texts($1) AS erased',
});

/** Where the chain begins and ends. */
export interface AuditHead {
  position: number;
  hash: Buffer;
  anchorPosition: number;
  anchorHash: Buffer;
  /** Committed, and not in the chain yet. */
  waiting: number;
}

/** Reads where the chain begins and ends. */
export const readAuditHead = theRow<[], AuditHead>({
  name: 'read-audit-head',
  text: `SELECT position, hash, anchor_position AS "anchorPosition", anchor_hash AS "anchorHash",
      (SELECT count(*) FROM audit_unchained)::bigint AS waiting FROM audit_head`,
});

/** A link of the chain with its entry. */
export interface AuditLink {
  position: number;
  entryId: number;
  hash: Buffer;
  /** What was hashed; null: the entry is gone. */
  line: string | null;
  sealed: Buffer | null;
  isErased: boolean;
}

/** Reads links after a position. */
export const readAuditLinks = manyRows<[after: number, atMost: number], AuditLink>({
  name: 'read-audit-chain',
  // The planner does not know how few links these are, and would join the whole trail: `OFFSET 0` makes it look up the
  // entry and the text of each link.
  text: `SELECT c.position, c.entry_id AS "entryId", c.hash, e.line, t.text_sealed AS sealed,
      t.erased_at IS NOT NULL AS "isErased"
    FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) c
    LEFT JOIN LATERAL (
      SELECT audit_line(entry_id, happened_at, actor, source, action, application_id, reference, details) AS line
      FROM audit_entries WHERE entry_id = c.entry_id OFFSET 0
    ) e ON true
    LEFT JOIN LATERAL (SELECT text_sealed, erased_at FROM audit_texts WHERE entry_id = c.entry_id OFFSET 0) t ON true
    ORDER BY c.position`,
});

/** The hash of a link, or of the anchor. Null: there is none at this position. */
export const hashAt = rowOrNull<[position: number], { hash: Buffer | null }, Buffer | null>({
  name: 'read-audit-hash',
  text: `SELECT coalesce((SELECT hash FROM audit_chain WHERE position = $1),
      (SELECT anchor_hash FROM audit_head WHERE anchor_position = $1)) AS hash`,
  result: ({ hash }) => hash,
});
