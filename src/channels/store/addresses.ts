import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** The stored part of a secret address. */
export interface StoredAddress {
  nonce: Buffer;
  /** SHA-256 of the secret, by which it is found. */
  digest: Buffer;
}

const insertStatement: Statement = {
  name: 'insert-calendar-address',
  text: `INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO NOTHING RETURNING listing_id`,
};

/** Gives a home an address. False: it already has one. */
export const insertAddress = async (
  executor: Executor,
  listingId: string,
  { nonce, digest }: StoredAddress,
): Promise<boolean> =>
  (await executor.query(insertStatement, [listingId, nonce, digest])).length > 0;

const replaceStatement: Statement = {
  name: 'replace-calendar-address',
  text: `INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO UPDATE SET nonce = excluded.nonce, digest = excluded.digest,
      created_at = now()`,
};

/** Gives a home another address; the previous one stops working. */
export async function replaceAddress(
  executor: Executor,
  listingId: string,
  { nonce, digest }: StoredAddress,
): Promise<void> {
  await executor.query(replaceStatement, [listingId, nonce, digest]);
}

const readStatement: Statement = {
  name: 'read-calendar-address',
  text: 'SELECT nonce, digest FROM calendar_addresses WHERE listing_id = $1',
};

/** Reads a home's address. Undefined: it has none. */
export async function readAddress(
  executor: Executor,
  listingId: string,
): Promise<StoredAddress | undefined> {
  const [row] = await executor.query<StoredAddress>(readStatement, [listingId]);
  return row;
}

/** The address of a home, with the home. */
export interface AddressOfHome extends StoredAddress {
  listingId: string;
  slug: string;
}

const listStatement: Statement = {
  name: 'list-calendar-addresses',
  text: `SELECT a.listing_id AS "listingId", l.slug, a.nonce, a.digest
    FROM calendar_addresses a JOIN listings l ON l.listing_id = a.listing_id ORDER BY l.slug`,
};

/** Lists every address, by the slug of its home. */
export const listAddresses = (executor: Executor): Promise<AddressOfHome[]> =>
  executor.query<AddressOfHome>(listStatement);

const removeStatement: Statement = {
  name: 'remove-calendar-addresses',
  text: 'DELETE FROM calendar_addresses WHERE listing_id = ANY ($1::uuid[])',
};

/** Removes the addresses of homes: nobody can read their calendars there any more. */
export async function removeAddresses(
  executor: Executor,
  listingIds: readonly string[],
): Promise<void> {
  await executor.query(removeStatement, [listingIds]);
}
