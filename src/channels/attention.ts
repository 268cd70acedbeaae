import type { AttentionSource } from '../platform/attention-source.ts';
import { isOpenConflict, isOpenOutsideStay } from './store/conflicts.ts';
import { outsideHolder } from './store/outside-stays.ts';

const calendarWords: Readonly<Record<string, string>> = {
  calendar_failing:
    'The calendar of the other channel cannot be read: what it sells now can be sold twice.',
  calendar_shrunk:
    'At least half of the events of the calendar are missing: say whether the nights are free.',
};

const nobody = `NULL::uuid AS application_id, NULL::uuid AS checkout_id`;
const noMoney = `NULL::bigint AS amount, NULL::text AS currency`;

/** The part of channels and other systems in the list of what waits for people. Spec: CHANNEL-14. */
export const channelAttention: readonly AttentionSource[] = [
  {
    name: 'calendars',
    isMoney: false,
    words: ({ kind }) => calendarWords[kind] ?? kind,
    // Each by an index in its order: when a host is away, very many calendars fail.
    text: `(SELECT c.calendar_id::text AS subject, 'calendar_failing' AS kind, ${nobody}, NULL::text AS reference,
        c.listing_id, ${noMoney}, c.problem AS reason, c.problem AS code,
        coalesce(c.failing_since, c.checked_at, c.created_at) AS since, NULL::timestamptz AS deadline
      FROM channel_calendars c WHERE c.problem IS NOT NULL
      ORDER BY coalesce(c.failing_since, c.checked_at, c.created_at) LIMIT $1)
      UNION ALL
      (SELECT c.calendar_id::text, 'calendar_shrunk', NULL::uuid, NULL::uuid, NULL::text, c.listing_id, NULL::bigint,
        NULL::text, 'shrunk', NULL::text, c.shrunk_since, NULL::timestamptz
      FROM channel_calendars c WHERE c.problem IS NULL AND c.shrunk_since IS NOT NULL AND c.kept_at IS NULL
      ORDER BY c.shrunk_since LIMIT $1)`,
  },
  {
    name: 'conflicts',
    isMoney: false,
    words: ({ code }) =>
      code === null
        ? 'Nights that another system has sold are taken here: only one can have them.'
        : 'Nights that another channel has sold are taken here: only one can have them.',
    text: `SELECT k.calendar_id || ' ' || lower(k.nights) AS subject, 'conflict' AS kind, r.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, k.reference, c.listing_id, ${noMoney},
        k.kind AS reason, 'channel' AS code, k.found_at AS since, NULL::timestamptz AS deadline
      FROM (SELECT * FROM channel_conflicts k WHERE ${isOpenConflict}
        ORDER BY k.found_at LIMIT $1) k
      JOIN channel_calendars c ON c.calendar_id = k.calendar_id
      LEFT JOIN LATERAL (
        SELECT application_id, booking_id, kind FROM reservations WHERE reference = k.reference OFFSET 0) r ON true
      UNION ALL
      SELECT s.source || '/' || s.external_id, 'conflict', NULL::uuid, NULL::uuid, o.reference, s.listing_id,
        NULL::bigint, NULL::text, 'outside_stay', NULL::text, s.updated_at, NULL::timestamptz
      FROM (SELECT * FROM outside_stays s WHERE ${isOpenOutsideStay}
        ORDER BY upper(s.nights) LIMIT $1) s
      CROSS JOIN LATERAL (
        SELECT o.reference FROM occupancies o WHERE ${outsideHolder} AND upper(o.nights) > current_date
        ORDER BY o.reference IS NULL, o.nights LIMIT 1) o`,
  },
];
