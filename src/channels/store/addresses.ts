import type { Executor } from '../../platform/postgres/database.ts';
import { nilUuid } from '../../platform/uuid.ts';
import { hasRow, manyRows, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** The stored part of a secret address. */
export interface StoredAddress {
  nonce: Buffer;
  /** SHA-256 of the secret, by which it is found. */
  digest: Buffer;
}

/** Gives a home an address. False: it already has one. */
export const insertAddress = hasRow<[listingId: string, address: StoredAddress]>({
  name: 'insert-calendar-address',
  text: `INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO NOTHING RETURNING listing_id`,
  values: (listingId, { nonce, digest }) => [listingId, nonce, digest],
});

/** Gives a home another address; the previous one stops working. */
export const replaceAddress = noRows<[listingId: string, address: StoredAddress]>({
  name: 'replace-calendar-address',
  text: `INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO UPDATE SET nonce = excluded.nonce, digest = excluded.digest,
      created_at = now()`,
  values: (listingId, { nonce, digest }) => [listingId, nonce, digest],
});

/** Reads a home's address. Undefined: it has none. */
export const readAddress = oneRow<[listingId: string], StoredAddress>({
  name: 'read-calendar-address',
  text: 'SELECT nonce, digest FROM calendar_addresses WHERE listing_id = $1',
});

/** The address of a home, with the home. */
export interface AddressOfHome extends StoredAddress {
  listingId: string;
  slug: string;
}

const listAddresses = manyRows<[after: string, atMost: number], AddressOfHome>({
  name: 'list-calendar-addresses',
  text: `SELECT a.listing_id AS "listingId", l.slug, a.nonce, a.digest
    FROM (SELECT * FROM calendar_addresses WHERE listing_id > $1 ORDER BY listing_id LIMIT $2) a
    CROSS JOIN LATERAL (SELECT slug FROM listings WHERE listing_id = a.listing_id OFFSET 0) l
    ORDER BY a.listing_id`,
});

/** Reads every address, at most `atMost` at a time. */
export async function* batchesOfAddresses(
  executor: Executor,
  atMost: number,
): AsyncGenerator<AddressOfHome[]> {
  let after: string | undefined = nilUuid;
  while (after !== undefined) {
    const batch: AddressOfHome[] = await listAddresses(executor, after, atMost);
    yield batch;
    after = batch.length === atMost ? batch.at(-1)!.listingId : undefined;
  }
}

/** Removes the addresses of homes: nobody can read their calendars there any more. */
export const removeAddresses = noRows<[listingIds: readonly string[]]>({
  name: 'remove-calendar-addresses',
  text: 'DELETE FROM calendar_addresses WHERE listing_id = ANY ($1::uuid[])',
});
