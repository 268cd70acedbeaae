/** The calendar of a home for other channels, at a secret address. */

import { randomBytes } from 'node:crypto';
import { readExportedNights } from '../inventory/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { Vault } from '../platform/vault.ts';
import { ownDomain } from './icalendar/own-events.ts';
import {
  findHomeByAddress,
  insertAddress,
  readNonce,
  replaceAddress,
  type StoredAddress,
} from './store/addresses.ts';
import { secretDigest } from '../platform/secret.ts';

/** Derives the secret from the stored nonce, so that it is not stored itself. 32 bytes, base64url. */
const secretOf = (vault: Vault, listingId: string, nonce: Buffer): string =>
  vault.mac('calendar', `address ${listingId} ${nonce.toString('hex')}`).toString('base64url');

function newAddress(vault: Vault, listingId: string): StoredAddress {
  const nonce = randomBytes(16);
  return { nonce, digest: secretDigest(secretOf(vault, listingId, nonce)) };
}

/** Returns the secret of a home's calendar, and whether it is new. */
export async function secretFor(
  executor: Executor,
  listingId: string,
): Promise<{ secret: string; isNew: boolean }> {
  const { vault } = executor;
  const isNew = await insertAddress(executor, listingId, newAddress(vault, listingId));
  const nonce = await readNonce(executor, listingId);
  return { secret: secretOf(vault, listingId, nonce!), isNew };
}

/** Gives a home's calendar another secret; the previous one stops working. */
export async function rotateSecret(executor: Executor, listingId: string): Promise<string> {
  const address = newAddress(executor.vault, listingId);
  await replaceAddress(executor, listingId, address);
  return secretOf(executor.vault, listingId, address.nonce);
}

/**
 * Writes the calendar with this secret. Undefined: there is none.
 *
 * @param without the calendar of the channel that reads it, whose own events it does not get back; null: none. If
 *   it was removed, there is nothing to read: its channel may have another one, whose events it would get back.
 */
export async function exportCalendar(
  executor: Executor,
  secret: string,
  without: string | null,
): Promise<string | undefined> {
  const home = await findHomeByAddress(executor, secretDigest(secret), without);
  if (!home) return undefined;
  const nights = await readExportedNights(executor, home.listingId, without);
  // Loads the library with the first calendar.
  const { writeCalendar } = await import('./icalendar/write-calendar.ts');
  return writeCalendar(home, nights, ownDomain(executor.vault));
}
