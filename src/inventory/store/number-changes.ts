/** The statement that numbers committed changes. */

import { nilUuid } from '../../platform/uuid.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';
import type { FeedState } from './feed-readers.ts';

/** How many are numbered at once: a statement must end in time, however many homes an import has changed. */
export const numberedAtOnce = 5_000;

/**
 * Tells what was numbered before, and numbers the next of what is committed by now. Changes nothing if the state is
 * another one already.
 */
export const advanceFeed = noRows<[feedState: Pick<FeedState, 'run' | 'joins'>]>({
  name: 'advance-change-feed',
  // Nothing is written before the row of the feed is held in the state that was read: since then nobody has numbered, and no
  // reader has joined. What is deleted is what is numbered, so no committed change is missing or told twice. The time is
  // taken after the snapshot: whoever reads at that time or later sees what has changed. `OFFSET 0`: look-ups by key for
  // each change, never a scan of all homes.
  text: `WITH held AS (
      SELECT run, clock_timestamp() AS now FROM change_feed
      WHERE only_row AND run = $1 AND joins = $2 FOR UPDATE SKIP LOCKED
    ), taken AS (
      DELETE FROM pending_changes USING held
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending_changes LIMIT ${numberedAtOnce}))
      RETURNING listing_id, catalog_id, application_id, kinds, nights
    ), changed AS (
      SELECT t.listing_id, t.catalog_id, t.nights, k.kind
      FROM taken t CROSS JOIN LATERAL unnest(coalesce(t.kinds, '{content,rates,rules}')) AS k (kind)
      WHERE t.application_id IS NULL
    ), everywhere AS (
      -- Everything in every catalog covers all else.
      SELECT FROM changed WHERE listing_id IS NULL AND catalog_id IS NULL LIMIT 1
    ), moved AS (
      SELECT p.catalog_id, p.listing_id, CASE WHEN cl.listing_id IS NULL THEN 'removed' ELSE 'added' END AS kind
      FROM (SELECT DISTINCT catalog_id, listing_id FROM changed
        WHERE catalog_id IS NOT NULL AND listing_id IS NOT NULL AND kind IN ('added', 'removed')) p
      LEFT JOIN LATERAL (SELECT listing_id FROM catalog_listings
        WHERE listing_id = p.listing_id AND catalog_id = p.catalog_id AND withdrawn_at IS NULL OFFSET 0) cl ON true
    ), homes AS (
      SELECT listing_id, kind,
        CASE WHEN bool_and(nights IS NOT NULL) THEN daterange(min(lower(nights)), max(upper(nights))) END AS nights
      FROM changed WHERE catalog_id IS NULL AND listing_id IS NOT NULL GROUP BY listing_id, kind
    ), found AS (
      SELECT c.catalog_id, NULL::uuid AS listing_id, 'added' AS kind, NULL::daterange AS nights
        FROM everywhere CROSS JOIN catalogs c
      UNION ALL
      SELECT DISTINCT catalog_id, NULL::uuid, kind, NULL::daterange FROM changed
        WHERE listing_id IS NULL AND catalog_id IS NOT NULL AND NOT EXISTS (SELECT FROM everywhere)
      UNION ALL
      SELECT catalog_id, listing_id, kind, NULL FROM moved WHERE NOT EXISTS (SELECT FROM everywhere)
      UNION ALL
      SELECT DISTINCT c.catalog_id, c.listing_id, c.kind, NULL::daterange FROM changed c
        WHERE c.catalog_id IS NOT NULL AND c.listing_id IS NOT NULL AND c.kind = 'content'
          AND NOT EXISTS (SELECT FROM everywhere)
          AND NOT EXISTS (SELECT FROM moved m WHERE m.catalog_id = c.catalog_id AND m.listing_id = c.listing_id)
          AND NOT EXISTS (SELECT FROM homes h WHERE h.listing_id = c.listing_id AND h.kind = 'content')
          -- One that has left may be told by another statement.
          AND EXISTS (SELECT FROM catalog_listings WHERE listing_id = c.listing_id
            AND catalog_id = c.catalog_id AND withdrawn_at IS NULL OFFSET 0)
      UNION ALL
      SELECT cl.catalog_id, h.listing_id, h.kind, h.nights
        FROM homes h CROSS JOIN LATERAL (SELECT catalog_id FROM catalog_listings
          WHERE listing_id = h.listing_id AND withdrawn_at IS NULL OFFSET 0) cl
        WHERE NOT EXISTS (SELECT FROM everywhere)
          AND NOT EXISTS (SELECT FROM moved m WHERE m.catalog_id = cl.catalog_id AND m.listing_id = h.listing_id)
    ), ordered AS (
      SELECT f.*, row_number() OVER (PARTITION BY catalog_id ORDER BY listing_id NULLS FIRST, kind) AS ordinal,
        -- The same change of several catalogs is one of the installation.
        row_number() OVER (
          PARTITION BY CASE WHEN listing_id IS NULL OR kind IN ('added', 'removed') THEN catalog_id END, listing_id, kind
          ORDER BY catalog_id) = 1 AS is_first
      FROM found f
    ), numbered AS (
      SELECT o.catalog_id, o.listing_id, o.kind, o.nights, coalesce(c.numbered, 0) + o.ordinal AS sequence,
        CASE WHEN o.is_first THEN i.numbered
          + row_number() OVER (PARTITION BY o.is_first ORDER BY o.catalog_id, o.ordinal) END AS of_installation
      FROM ordered o LEFT JOIN change_counters c ON c.catalog_id = o.catalog_id
      CROSS JOIN (SELECT numbered FROM change_counters WHERE catalog_id = '${nilUuid}') i
    ), written AS (
      INSERT INTO inventory_changes
        (catalog_id, sequence, changed_at, kind, listing_id, nights, installation_sequence)
      SELECT n.catalog_id, n.sequence, held.now, n.kind, n.listing_id, n.nights, n.of_installation
      FROM numbered n CROSS JOIN held
    ), counted AS (
      INSERT INTO change_counters (catalog_id, numbered, told)
      SELECT coalesce(n.catalog_id, c.catalog_id), coalesce(n.last, c.numbered), coalesce(c.numbered, 0)
      FROM (
        SELECT catalog_id, max(sequence) AS last FROM numbered GROUP BY catalog_id
        UNION ALL
        SELECT '${nilUuid}', max(of_installation) FROM numbered HAVING max(of_installation) IS NOT NULL
      ) n
      FULL JOIN change_counters c ON c.catalog_id = n.catalog_id
      CROSS JOIN held
      WHERE n.catalog_id IS NOT NULL OR c.told < c.numbered
      ON CONFLICT (catalog_id) DO UPDATE SET numbered = excluded.numbered, told = excluded.told
    ), own AS (
      SELECT a.application_id, a.catalog_id, t.kinds, coalesce(c.numbered, 0) AS numbered,
        s.catalog_id AS before, s.sequence + coalesce(b.numbered, 0) - s.catalog_sequence AS last
      FROM (SELECT application_id, array_agg(DISTINCT kind ORDER BY kind DESC) AS kinds
        FROM taken CROSS JOIN LATERAL unnest(coalesce(kinds, '{rates}')) AS k (kind)
        WHERE application_id IS NOT NULL GROUP BY application_id) t
      CROSS JOIN LATERAL (SELECT application_id, catalog_id FROM applications
        WHERE application_id = t.application_id OFFSET 0) a
      LEFT JOIN change_counters c ON c.catalog_id = a.catalog_id
      LEFT JOIN LATERAL (
        SELECT catalog_id, sequence, catalog_sequence FROM application_changes
        WHERE application_id = a.application_id ORDER BY sequence DESC LIMIT 1) s ON true
      LEFT JOIN change_counters b ON b.catalog_id = s.catalog_id
    ), told AS (
      -- A new application: its feed begins here. Another catalog: the homes of the one before leave, then others come.
      INSERT INTO application_changes
        (application_id, sequence, run, changed_at, kind, catalog_id, catalog_sequence)
      SELECT o.application_id, coalesce(o.last + k.ordinal, 0), CASE WHEN o.before IS NULL THEN 0 ELSE held.run + 1 END,
        held.now, k.kind, o.catalog_id, o.numbered
      FROM own o CROSS JOIN held CROSS JOIN LATERAL unnest(CASE WHEN o.before IS NULL THEN '{NULL}'
        WHEN o.before <> o.catalog_id THEN '{removed,added}' ELSE o.kinds END) WITH ORDINALITY AS k (kind, ordinal)
    )
    UPDATE change_feed f SET told_run = f.run, run = f.run + (EXISTS (SELECT FROM taken))::integer
    FROM held WHERE f.only_row`,
  values: ({ run, joins }) => [run, joins],
});
