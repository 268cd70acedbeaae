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
  text: 'SELECT nonce FROM calendar_addresses WHERE listing_id = $1',
};

/** Reads the nonce of a home's address. Undefined: it has none. */
export async function readNonce(
  executor: Executor,
  listingId: string,
): Promise<Buffer | undefined> {
  const [row] = await executor.query<{ nonce: Buffer }>(readStatement, [listingId]);
  return row?.nonce;
}
