/** Entries of the audit trail that were added outside of its chain. */
import type { Executor, Statement } from '../postgres/database.ts';

// An entry and its place in the queue are committed as one, and so are its link and the end of its wait: one statement
// sees one of them.
const unlinkedStatement: Statement = {
  name: 'find-unlinked-audit-entries',
  text: `SELECT count(*)::integer AS seen, max(entry_id) AS last, count(*) FILTER (WHERE is_unlinked)::integer AS unlinked,
      min(entry_id) FILTER (WHERE is_unlinked) AS "entryId"
    FROM (
      SELECT e.entry_id, (SELECT c.position FROM audit_chain c WHERE c.entry_id = e.entry_id) IS NULL
        AND (SELECT u.entry_id FROM audit_unchained u WHERE u.entry_id = e.entry_id) IS NULL AS is_unlinked
      FROM audit_entries e WHERE e.entry_id > $1 AND e.entry_id <= $2 ORDER BY e.entry_id LIMIT $3
    ) looked_at`,
};

interface Slice {
  seen: number;
  last: number | null;
  unlinked: number;
  entryId: number | null;
}

const atOnce = 1_000;

/** Entries that are in no link and do not wait for one. */
export interface UnlinkedEntries {
  /** How many of them are near the first. */
  unlinked: number;
  /** The first one. */
  entryId: number;
}

/** Looks for the first entries after an ID, until another one, that are in no link. Null: there are none. */
export async function findUnlinkedEntries(
  executor: Executor,
  after: number,
  until: number,
): Promise<UnlinkedEntries | null> {
  let begin = after;
  for (;;) {
    const values = [begin, until, atOnce];
    const [slice] = await executor.query<Slice>(unlinkedStatement, values);
    const { seen, last, unlinked, entryId } = slice!;
    if (entryId !== null) return { unlinked, entryId };
    if (seen < atOnce || last === until) return null;
    begin = last!;
  }
}
