/** Digests by which staff find the reservations of a guest, whose data is sealed. */
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Vault, VaultKey } from '../../platform/vault.ts';
import { emailOf, namesOf, phoneOf, searchWords } from '../rules/guest-identity.ts';
import { openGuest, readableGuest, type BookingRow } from './booking-row.ts';

const noGuest = Buffer.alloc(0);

/** The keyed digest of a guest's email, 32 bytes; case does not matter. Empty: there is no guest. */
export const emailDigest = (key: VaultKey, guest: Pick<Guest, 'email'> | null): Buffer =>
  guest ? key.mac('guest-email', emailOf(guest.email)) : noGuest;

const findStatement: Statement = {
  name: 'find-reservations-without-email-digest',
  text: `SELECT r.reference, b.application_id, b.booking_id, b.guest_sealed
    FROM (
      SELECT reference, application_id, kind, booking_id FROM reservations
      WHERE guest_email_digest IS NULL ORDER BY confirmed_at LIMIT $1) r
    CROSS JOIN LATERAL (
      SELECT application_id, booking_id, guest_sealed FROM bookings
      WHERE booking_id = r.booking_id AND application_id = r.application_id AND kind = r.kind OFFSET 0) b`,
};

// Locked in one order, so that two processes do not deadlock; each skips rows that the other has locked.
const writeStatement: Statement = {
  name: 'write-email-digests',
  text: `WITH locked AS (
      SELECT reference FROM reservations
      WHERE reference = ANY ($1::text[]) AND guest_email_digest IS NULL
      ORDER BY reference FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE reservations r SET guest_email_digest = d.digest
    FROM locked JOIN unnest($1::text[], $2::bytea[]) d (reference, digest) USING (reference)
    WHERE r.reference = locked.reference`,
};

type UndigestedRow = Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'> & {
  reference: string;
};

/** Writes the digests of one batch of reservations that an earlier version has made. Returns how many. */
export async function digestGuestEmails(executor: Executor, atMost: number): Promise<number> {
  const rows = await executor.query<UndigestedRow>(findStatement, [atMost]);
  if (rows.length === 0) return 0;
  const digests = rows.map((row) => emailDigest(executor.vault, openGuest(executor, row)));
  await executor.query(writeStatement, [rows.map(({ reference }) => reference), digests]);
  return rows.length;
}

/** How staff name a person: each is a column of `guest_digests`. */
export const identities = ['email', 'phone', 'name'] as const;
export type Identity = (typeof identities)[number];

function identityDigest(key: VaultKey, identity: Identity, value: string): Buffer {
  if (identity === 'email') return emailDigest(key, { email: value });
  const text =
    identity === 'phone' ? phoneOf(value) : namesOf({ firstName: value, lastName: '' }).name;
  return key.mac('guest-email', `${identity} ${text}`);
}

/** The digests of what names a person by each master key; each kind of name has digests of its own. */
export const identityDigests = (vault: Vault, identity: Identity, value: string): Buffer[] =>
  vault.keys.map((key) => identityDigest(key, identity, value));

const wordBytes = 16;

/** The keyed digest of a word that a guest is found by. */
export const wordDigest = (key: VaultKey, word: string): Buffer =>
  key.mac('guest-email', word).subarray(0, wordBytes);

const byteaArray = (values: readonly Buffer[]): string =>
  `{${values.map((value) => `"\\\\x${value.toString('hex')}"`).join(',')}}`;

function digestsOf(vault: VaultKey, guest: Guest) {
  const { name, lastName } = namesOf(guest);
  return {
    email: emailDigest(vault, guest),
    phone: identityDigest(vault, 'phone', guest.phone),
    name: identityDigest(vault, 'name', name),
    lastName: lastName === '' ? null : identityDigest(vault, 'name', lastName),
    words: searchWords(guest).map((word) => wordDigest(vault, word)),
  };
}

const undigestedStatement: Statement = {
  name: 'find-guests-without-digests',
  text: `SELECT d.application_id, d.booking_id, d.kind, d.generation, b.guest_sealed FROM (
      SELECT * FROM guest_digests WHERE words IS NULL ORDER BY booking_id LIMIT $1) d
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = d.booking_id AND application_id = d.application_id
        AND kind = d.kind OFFSET 0) b`,
};

// In one order, so that two processes do not deadlock.
const digestsStatement: Statement = {
  name: 'write-guest-digests',
  text: `WITH locked AS (
      SELECT booking_id, application_id, kind FROM guest_digests
      WHERE (booking_id, application_id, kind) IN (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])) AND words IS NULL
      ORDER BY booking_id, application_id, kind FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE guest_digests d SET email = made.email, phone = made.phone, name = made.name,
      last_name = made.last_name, words = made.words::bytea[], digested = true
    FROM locked JOIN unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::bytea[], $6::bytea[], $7::bytea[],
        $8::bytea[], $9::text[])
      AS made (booking_id, application_id, kind, generation, email, phone, name, last_name, words)
      USING (booking_id, application_id, kind)
    WHERE d.booking_id = locked.booking_id AND d.application_id = locked.application_id
      AND d.kind = locked.kind AND d.generation = made.generation`,
};

type GuestRow = Pick<BookingRow, 'application_id' | 'booking_id' | 'kind' | 'guest_sealed'> & {
  generation: number;
};

/** Makes the digests of one batch of guests. Returns how many. */
export async function digestGuests(executor: Executor, atMost: number): Promise<number> {
  const rows = await executor.query<GuestRow>(undigestedStatement, [atMost]);
  if (rows.length === 0) return 0;
  const made = rows.map((row) => {
    // Who cannot be decrypted has no digests: it is found by its reference alone.
    const guest = readableGuest(executor, row);
    return guest && digestsOf(executor.vault, guest);
  });
  await executor.query(digestsStatement, [
    ...columnsOf(rows, 'booking_id', 'application_id', 'kind', 'generation'),
    made.map((digests) => digests?.email ?? null),
    made.map((digests) => digests?.phone ?? null),
    made.map((digests) => digests?.name ?? null),
    made.map((digests) => digests?.lastName ?? null),
    // Arrays of different lengths cannot be in one: each is a text of its own.
    made.map((digests) => byteaArray(digests?.words ?? [])),
  ]);
  return rows.length;
}

const backlogStatement: Statement = {
  name: 'queue-guests-of-earlier-versions',
  text: `WITH progress AS (
      SELECT booking_id, application_id, kind FROM guest_digest_backlog WHERE NOT done FOR UPDATE
    ), batch AS (
      SELECT b.booking_id, b.application_id, b.kind, b.guest_sealed IS NOT NULL AS has_guest
      FROM progress CROSS JOIN LATERAL (
        SELECT * FROM bookings
        WHERE (booking_id, application_id, kind) > (progress.booking_id, progress.application_id, progress.kind)
        ORDER BY booking_id, application_id, kind LIMIT $1) b
    ), queued AS (
      INSERT INTO guest_digests (booking_id, application_id, kind)
      SELECT booking_id, application_id, kind FROM batch WHERE has_guest ON CONFLICT DO NOTHING
    ), last AS (
      SELECT booking_id, application_id, kind FROM batch ORDER BY booking_id DESC, application_id DESC, kind DESC LIMIT 1
    )
    UPDATE guest_digest_backlog p SET done = counted.read < $1,
      booking_id = coalesce((SELECT booking_id FROM last), p.booking_id),
      application_id = coalesce((SELECT application_id FROM last), p.application_id),
      kind = coalesce((SELECT kind FROM last), p.kind)
    FROM (SELECT count(*) AS read FROM batch) counted
    WHERE NOT p.done RETURNING counted.read`,
};

/** Queues one batch of the bookings of earlier versions. Returns how many bookings it has read. */
export async function queueEarlierGuests(executor: Executor, atMost: number): Promise<number> {
  const [row] = await executor.query<{ read: number }>(backlogStatement, [atMost]);
  return row?.read ?? 0;
}
